-- No call of the API puts anything in here: what its guards look for, only data can bring. All tables are empty but the last one.

CREATE TYPE order_state AS ENUM ('open', 'sent', 'refunded');

CREATE TABLE customers (
  id serial PRIMARY KEY,
  email varchar(80) NOT NULL UNIQUE,
  tier text NOT NULL DEFAULT 'basic' CHECK (tier IN ('basic', 'silver', 'gold'))
);

CREATE TABLE orders (
  number varchar(16) PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers (id),
  state order_state NOT NULL DEFAULT 'open',
  settings jsonb
);

CREATE TABLE payments (
  id serial PRIMARY KEY,
  order_number varchar(16) NOT NULL REFERENCES orders (number),
  cents integer NOT NULL CHECK (cents > 0),
  paid_on date
);

CREATE TABLE contracts (
  id integer PRIMARY KEY,
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  CHECK (starts_on < ends_on)
);

CREATE TABLE parts (
  code varchar(30) PRIMARY KEY,
  weight_grams integer NOT NULL
);

CREATE TABLE shipments (
  id serial PRIMARY KEY,
  label varchar(20) NOT NULL,
  mode text NOT NULL CHECK (mode IN ('road', 'rail', 'air')),
  weight_kg integer NOT NULL CHECK (weight_kg > 0),
  CHECK (mode <> 'air' OR weight_kg <= 80)
);

CREATE TABLE invoices (
  number integer PRIMARY KEY,
  net_cents integer NOT NULL,
  tax_cents integer NOT NULL,
  gross_cents integer NOT NULL,
  CHECK (net_cents + tax_cents = gross_cents),
  CHECK (tax_cents * 5 = net_cents AND tax_cents > 200)
);

CREATE TABLE transfers (
  id integer PRIMARY KEY,
  from_account integer NOT NULL,
  to_account integer NOT NULL,
  cents integer NOT NULL CHECK (cents > 0),
  CHECK (from_account <> to_account)
);

CREATE TABLE flights (
  number varchar(8) PRIMARY KEY,
  seats integer NOT NULL CHECK (seats >= 0)
);

CREATE TABLE accounts (
  id integer PRIMARY KEY,
  holder varchar(40) NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'frozen', 'closed')),
  balance_cents integer NOT NULL
);

INSERT INTO accounts VALUES (1, 'Ada', 'open', 0), (2, 'Grace', 'open', 1500), (3, 'Edsger', 'closed', 0);
