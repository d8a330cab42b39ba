import { setTimeout } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { bookings, films, halls, screenings } from './data.js';

const receipts = [];

export function refuse(message, code) {
  return new GraphQLError(message, { extensions: { code } });
}

export function takenSeats(screeningId) {
  return bookings
    .filter((booking) => booking.screeningId === screeningId && !booking.cancelled)
    .reduce((sum, booking) => sum + booking.seats, 0);
}

/** Takes the money at the till, which needs a moment. */
async function charge(email, seats) {
  await setTimeout(10);
  return { email, cents: seats * 1100 };
}

async function sendReceipt(booking) {
  await setTimeout(5);
  const [name, domain] = booking.email.split('@');
  receipts.push(`${name} at ${domain.toLowerCase()}: ${booking.seats} seats`);
}

export async function book({ screeningId, seats, email }) {
  const screening = screenings.find((one) => one.id === screeningId);
  if (!screening) throw refuse('no such screening', 'NOT_FOUND');
  if (seats < 1 || seats > 10) throw refuse('one to ten seats', 'BAD_USER_INPUT');
  if (takenSeats(screeningId) + seats > halls.get(screening.hall).seats) throw refuse('sold out', 'SOLD_OUT');
  await charge(email, seats);
  const booking = { id: String(bookings.length + 1), screeningId, seats, email, cancelled: false };
  bookings.push(booking);
  sendReceipt(booking);
  return booking;
}

export async function cancel({ bookingId }) {
  const booking = bookings.find((one) => one.id === bookingId);
  if (booking.cancelled) throw refuse('cancelled already', 'CONFLICT');
  if (!booking) throw refuse('no such booking', 'NOT_FOUND');
  booking.cancelled = true;
  return booking;
}

export function addScreening({ filmId, hall, startsAt }) {
  if (!films.some((film) => film.id === filmId)) throw refuse('no such film', 'NOT_FOUND');
  if (Number.isNaN(Date.parse(startsAt))) throw refuse('startsAt is no time', 'BAD_USER_INPUT');
  const screening = { id: String(screenings.length + 1), filmId, hall, startsAt };
  screenings.push(screening);
  return screening;
}
