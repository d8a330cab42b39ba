export const shows = new Map([
  ['deep-sea', { slug: 'deep-sea', title: 'Deep Sea', language: 'en', hosts: [{ name: 'Ida' }], plays: [] }],
  ['night-train', { slug: 'night-train', title: 'Nachtzug', language: 'de', hosts: [{ name: 'Olaf' }], plays: [] }],
]);

export const episodes = new Map([
  [1, { id: 1, show: 'deep-sea', kind: 'audio', title: 'Anglerfish', seconds: 1800 }],
  [2, { id: 2, show: 'deep-sea', kind: 'audio', title: 'Squid', seconds: 2100 }],
]);

shows.get('deep-sea').plays.push({ day: '2024-05-01', count: 120 }, { day: '2024-05-02', count: 80 });

export const users = new Map();
export const playlists = new Map();
