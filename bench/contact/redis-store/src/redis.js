import Redis from 'ioredis';

export const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379');

export function refuse(status, message) {
  return Object.assign(new Error(message), { status });
}

/** An article's number in a body. */
export function article(value) {
  if (typeof value !== 'string' || !/^[a-z]{2}-[0-9]{2}$/.test(value)) throw refuse(400, 'articles look like ab-12');
  return value;
}
