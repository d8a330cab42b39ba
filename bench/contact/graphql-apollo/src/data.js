export const people = [
  { id: '1', name: 'Agnes Holm' },
  { id: '2', name: 'Prince' },
];

export const films = [
  { id: '1', title: 'Low Tide', section: 'COMPETITION', minutes: 104, directorId: '1', country: 'DK', ratings: [4, 5] },
  { id: '2', title: 'Eleven', section: 'SHORTS', minutes: 11, directorId: '2', country: 'US', ratings: [] },
  { id: '3', title: 'The Mill', section: 'RETRO', minutes: 88, directorId: null, country: 'FR', ratings: [3] },
];

export const halls = new Map([
  [1, { number: 1, seats: 120 }],
  [2, { number: 2, seats: 40 }],
]);

export const screenings = [
  { id: '1', filmId: '1', hall: 1, startsAt: '2024-09-06T18:00:00Z' },
  { id: '2', filmId: '2', hall: 2, startsAt: '2024-09-07T20:00:00Z' },
];

export const bookings = [{ id: '1', screeningId: '1', seats: 2, email: 'kit@example.com', cancelled: false }];
