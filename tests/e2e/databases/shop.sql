-- What is there before anything runs: tables of all kinds, with rows that must survive.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN percent AS integer CHECK (VALUE BETWEEN 0 AND 100);
CREATE TABLE customers (
  id serial PRIMARY KEY,
  email varchar(80) NOT NULL UNIQUE,
  mood mood NOT NULL DEFAULT 'ok',
  discount percent,
  joined timestamptz NOT NULL DEFAULT now(),
  name_length int GENERATED ALWAYS AS (length(email)) STORED
);
CREATE TABLE orders (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id int NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  total numeric(10, 2) NOT NULL CHECK (total >= 0),
  tags text[] NOT NULL DEFAULT '{}',
  details jsonb
);
CREATE TABLE "Order Lines" (
  "orderId" int NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  "lineNo" int NOT NULL,
  "Picture" bytea,
  weight double precision,
  PRIMARY KEY ("orderId", "lineNo")
);
CREATE TABLE log (what text, at timestamp DEFAULT now());
CREATE SCHEMA stock;
CREATE TABLE stock.items (code uuid PRIMARY KEY DEFAULT gen_random_uuid(), parent uuid REFERENCES stock.items (code), place point, amount int);
CREATE VIEW big_orders AS SELECT * FROM orders WHERE total > 100;
CREATE FUNCTION note_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log (what) VALUES ('order ' || COALESCE(NEW.id, OLD.id));
  RETURN NULL;
END $$;
CREATE TRIGGER orders_noted AFTER INSERT OR UPDATE OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION note_order();
INSERT INTO customers (email, discount, joined) VALUES ('ann@shop.example', 10, '2020-01-01'), ('b''ob\@shop.example', NULL, '2021-02-03 04:05:06.789+02');
INSERT INTO orders (customer_id, total, tags, details) VALUES (1, 99.90, '{a,"b c"}', '{"k": [1, 2]}'), (2, 500, '{}', NULL);
INSERT INTO "Order Lines" VALUES (1, 1, '\x00ff', 0.1), (1, 2, NULL, 'NaN'), (2, 1, '', 1e300);
INSERT INTO stock.items (code, place, amount) VALUES ('00000000-0000-0000-0000-000000000001', '(1,2)', 5);
INSERT INTO stock.items VALUES ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000001', NULL, 7);
