import Database from 'better-sqlite3';

export const db = new Database(process.env.DATABASE_FILE ?? 'permits.sqlite');

db.pragma('journal_mode = WAL');
db.pragma('foreign_keys = ON');
db.exec(`
  CREATE TABLE IF NOT EXISTS zones (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, monthly_cents INTEGER NOT NULL, places INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS vehicles (
    plate TEXT PRIMARY KEY, holder TEXT NOT NULL, is_electric INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS permits (
    id INTEGER PRIMARY KEY, plate TEXT NOT NULL REFERENCES vehicles, zone_id INTEGER NOT NULL REFERENCES zones,
    valid_from TEXT NOT NULL, valid_until TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'active', UNIQUE (plate, zone_id)
  );
  INSERT OR IGNORE INTO zones VALUES (1, 'Old town', 3000, 2), (2, 'Harbour', 2400, 80);
  INSERT OR IGNORE INTO vehicles VALUES ('HB-TR-12', 'R. Claus', 0), ('HB-E-7', 'A. Onur', 1), ('HB-X-99', 'M. Lind', 0);
  INSERT OR IGNORE INTO permits VALUES (1, 'HB-TR-12', 2, '2024-01-01', '2024-12-31', 'active');
`);
