-- Members come from the city's register and books from the catalogue of the publisher: this API only reads both.

CREATE TABLE IF NOT EXISTS members (
  id serial PRIMARY KEY,
  card varchar(12) NOT NULL UNIQUE,
  name varchar(80) NOT NULL,
  kind text NOT NULL DEFAULT 'adult' CHECK (kind IN ('adult', 'child', 'staff')),
  guardian_email varchar(120),
  suspended_until date
);

CREATE TABLE IF NOT EXISTS books (
  isbn char(13) PRIMARY KEY,
  title varchar(200) NOT NULL,
  shelf varchar(10),
  copies integer NOT NULL DEFAULT 1 CHECK (copies >= 0),
  price_cents integer NOT NULL CHECK (price_cents > 0)
);

CREATE TABLE IF NOT EXISTS loans (
  id serial PRIMARY KEY,
  member_id integer NOT NULL REFERENCES members (id),
  isbn char(13) NOT NULL REFERENCES books (isbn),
  lent_on date NOT NULL DEFAULT current_date,
  returned_on date,
  fine_cents integer NOT NULL DEFAULT 0 CHECK (fine_cents >= 0),
  CHECK (returned_on IS NULL OR returned_on >= lent_on)
);
