import { row } from './db.js';

const outbox = [];

/** Tells the customer that a ticket was closed. */
export async function notifyCustomer(ticket) {
  const customer = await row('SELECT * FROM customers WHERE id = $1', [ticket.customer_id]);
  const to = customer.email.toLowerCase();
  outbox.push({ to, subject: `Closed: ${ticket.subject}` });
  if (outbox.length > 50) outbox.shift();
}
