CREATE TABLE authors (
  id INTEGER PRIMARY KEY,
  name VARCHAR(80) NOT NULL UNIQUE,
  born INTEGER
);

CREATE TABLE books (
  id INTEGER PRIMARY KEY,
  title VARCHAR(120) NOT NULL,
  price REAL NOT NULL CHECK (price >= 0),
  author_id INTEGER NOT NULL REFERENCES authors (id)
);

CREATE TABLE readers (
  id INTEGER PRIMARY KEY,
  email VARCHAR(120) NOT NULL UNIQUE,
  is_active BOOLEAN NOT NULL DEFAULT TRUE
);

CREATE TABLE loans (
  id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES books (id),
  reader_id INTEGER NOT NULL REFERENCES readers (id),
  taken_on DATE NOT NULL,
  returned_on DATE
);

INSERT INTO authors (id, name, born) VALUES (1, 'Ada Brandt', 1961), (2, 'Jonas Reed', 1984);
INSERT INTO books (id, title, price, author_id) VALUES (1, 'The Lighthouse Clock', 14.9, 1), (2, 'Salt and Iron', 22.5, 2);
INSERT INTO readers (id, email) VALUES (1, 'lena@fischer.example');
INSERT INTO loans (id, book_id, reader_id, taken_on) VALUES (1, 1, 1, '2024-03-01');
