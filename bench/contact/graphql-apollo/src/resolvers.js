import { addScreening, book, cancel, refuse, takenSeats } from './booking.js';
import { films, halls, screenings } from './data.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

async function findFilm(id) {
  return films.find((film) => film.id === id);
}

export const resolvers = {
  Query: {
    films: (_, { section, limit, offset }) => {
      const found = films.filter((film) => !section || film.section === section);
      return Array.from({ length: Math.min(limit, found.length) }, (_, index) => found[offset + index]);
    },
    film: (_, { id }) => findFilm(id),
    search: (_, { text }) => {
      const pattern = new RegExp(`\\b${text}`, 'i');
      return films.filter((film) => pattern.test(film.title));
    },
    screening: (_, { id }) => screenings.find((screening) => screening.id === id),
    programme: (_, { day }) => {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw refuse('days look like 2024-09-06', 'BAD_USER_INPUT');
      const all = screenings.filter((screening) => screening.startsAt.startsWith(day));
      return { day, first: all[0], screenings: all };
    },
  },
  Mutation: {
    addFilm: (_, { film }) => {
      const saved = { ...film, id: String(films.length + 1), ratings: [] };
      films.push(saved);
      return saved;
    },
    addScreening: (_, input) => addScreening(input),
    book: (_, input) => book(input),
    cancel: (_, input) => cancel(input),
    rate: async (_, { filmId, stars }) => {
      if (stars < 1 || stars > 5) throw refuse('one to five stars', 'BAD_USER_INPUT');
      const film = findFilm(filmId);
      if (!film) throw refuse('no such film', 'NOT_FOUND');
      film.ratings?.push(stars);
      return film;
    },
  },
  Film: {
    director: (film, _, { loaders }) => (film.directorId ? loaders.people.load(film.directorId) : null),
    directorInitials: async (film, _, { loaders }) => {
      const director = await loaders.people.load(film.directorId);
      const [first, last] = director.name.split(' ');
      return first[0] + last[0];
    },
    country: (film) => film.country.toUpperCase(),
    stars: (film) => (film.ratings.length ? film.ratings.reduce((sum, one) => sum + one, 0) / film.ratings.length : null),
    screenings: (film) => screenings.filter((screening) => screening.filmId === film.id),
  },
  Screening: {
    film: (screening) => findFilm(screening.filmId),
    endsAt: async (screening) => {
      const { minutes } = await findFilm(screening.filmId);
      return new Date(Date.parse(screening.startsAt) + minutes * 60000).toISOString();
    },
    freeSeats: (screening) => halls.get(screening.hall).seats - takenSeats(screening.id),
    weekday: (screening) => WEEKDAYS[new Date(screening.startsAt).getUTCDay() - 1],
  },
  Booking: {
    screening: (booking) => screenings.find((screening) => screening.id === booking.screeningId),
  },
};
