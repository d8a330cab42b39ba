const pitches = new Map();
const bookings = new Map();
const guests = new Map();
const reviews = new Map();

const ids = { booking: 0, review: 0, photo: 0 };

function nextId(kind) {
  ids[kind] += 1;
  return ids[kind];
}

for (const row of ['A', 'B', 'C', 'D']) {
  for (let place = 1; place <= 6; place += 1) {
    const id = `${row}0${place}`;
    pitches.set(id, { id, row, squareMetres: 60 + 10 * place, price: 14 + place, power: row !== 'A' });
  }
}
pitches.get('D01').jetty = { metres: 8 };
pitches.get('D02').jetty = { metres: 12 };

const photos = new Map([[1, { small: '/img/1s.jpg', large: '/img/1l.jpg' }], [2, { small: '/img/2s.jpg' }]]);

module.exports = { bookings, guests, nextId, photos, pitches, reviews };
