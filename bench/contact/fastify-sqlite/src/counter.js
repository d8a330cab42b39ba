import { setTimeout } from 'node:timers/promises';

const ledger = [];
const queue = [];

/** Takes the money; the till needs a moment. */
export async function charge(plate, cents) {
  await setTimeout(10);
  ledger.push({ plate, cents });
}

/** Prints a label for the windscreen: initials and surname of the holder. */
export async function printLabel(permit) {
  await setTimeout(5);
  const [initials, surname] = permit.holder.split('. ');
  queue.push(`${permit.plate} ${initials}. ${surname.toUpperCase()}`);
}
