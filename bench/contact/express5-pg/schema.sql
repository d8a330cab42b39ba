CREATE TABLE IF NOT EXISTS customers (
  id serial PRIMARY KEY,
  name text NOT NULL,
  email text UNIQUE
);
CREATE TABLE IF NOT EXISTS agents (
  id serial PRIMARY KEY,
  name text NOT NULL,
  team text NOT NULL CHECK (team IN ('first', 'second', 'billing'))
);
CREATE TABLE IF NOT EXISTS tickets (
  id serial PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers,
  agent_id integer REFERENCES agents,
  subject text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'pending', 'closed')),
  opened_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS comments (
  id serial PRIMARY KEY,
  ticket_id integer NOT NULL REFERENCES tickets ON DELETE CASCADE,
  agent_id integer NOT NULL REFERENCES agents,
  body text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO customers (id, name, email) VALUES (1, 'Farah Aziz', 'farah@example.com'), (2, 'Jon Berg', NULL) ON CONFLICT DO NOTHING;
INSERT INTO agents (id, name, team) VALUES (1, 'Lea Moser', 'first'), (2, 'Tom', 'billing') ON CONFLICT DO NOTHING;
INSERT INTO tickets (id, customer_id, agent_id, subject, state) VALUES
  (1, 1, 1, 'Invoice is wrong', 'pending'), (2, 1, NULL, 'Cannot log in', 'open'), (3, 2, 2, 'Refund', 'closed') ON CONFLICT DO NOTHING;
INSERT INTO comments (id, ticket_id, agent_id, body) VALUES (1, 1, 1, 'Which one?') ON CONFLICT DO NOTHING;
SELECT setval('customers_id_seq', greatest(10, (SELECT max(id) FROM customers))), setval('agents_id_seq', greatest(10, (SELECT max(id) FROM agents))),
  setval('tickets_id_seq', greatest(10, (SELECT max(id) FROM tickets))), setval('comments_id_seq', greatest(10, (SELECT max(id) FROM comments)));
