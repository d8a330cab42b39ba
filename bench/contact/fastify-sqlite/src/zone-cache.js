import { db } from './database.js';

const byId = new Map();

export function zoneOf(id) {
  if (!byId.has(id)) {
    const zone = db.prepare('SELECT * FROM zones WHERE id = ?').get(id);
    if (!zone) return undefined;
    byId.set(id, zone);
  }
  return byId.get(id);
}

/** Places that no permit takes. */
export async function freePlaces(zone) {
  const { taken } = db.prepare("SELECT count(*) AS taken FROM permits WHERE zone_id = ? AND status = 'active'").get(zone.id);
  return zone.places - taken;
}
