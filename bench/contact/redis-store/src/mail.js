const outbox = [];

/** Confirms an order. */
export async function confirm(email, items) {
  await Promise.resolve();
  const [name, host] = email.split('@');
  outbox.push({ to: `${name}@${host.trim().toLowerCase()}`, lines: Object.keys(items).length });
  outbox.splice(0, outbox.length - 10);
}
