import { redis } from './redis.js';

export async function seed() {
  if (await redis.exists('article:te-01')) return;
  await redis.hset('article:te-01', { name: 'Green tea', cents: '450', stock: '12' });
  await redis.hset('article:co-02', { name: 'Coffee', cents: '890', stock: '3', origin: 'Peru' });
  await redis.hset('article:cu-09', { name: 'Cup', cents: '700', stock: '0' });
  await redis.set('voucher:SPRING', JSON.stringify({ percent: 10, until: '2099-12-31', articles: ['te-01'] }));
  await redis.set('voucher:STAFF', JSON.stringify({ percent: 30 }));
  await redis.hset('basket:b1', 'te-01', '2');
}
