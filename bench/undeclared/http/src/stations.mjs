import { randomBytes } from 'node:crypto';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import busboy from 'busboy';
import * as yup from 'yup';
import { cookiesOf, HttpError, readJson, sendJson } from './http.mjs';

const ajv = new Ajv({ allErrors: true });
addFormats(ajv);

const isReading = ajv.compile({
  type: 'object',
  required: ['at', 'values', 'quality'],
  properties: {
    at: { type: 'string', format: 'date-time' },
    quality: { enum: ['raw', 'checked'] },
    values: { type: 'object', minProperties: 1, additionalProperties: { type: 'number' } },
    checkedBy: { type: 'object', required: ['initials'], properties: { initials: { type: 'string', maxLength: 3 } } },
  },
});

const isLocation = ajv.compile({
  type: 'object',
  required: ['lat', 'lon'],
  properties: {
    lat: { type: 'number', minimum: -90, maximum: 90 },
    lon: { type: 'number', minimum: -180, exclusiveMaximum: 180 },
    altitude: { type: 'object', required: ['metres'], properties: { metres: { type: 'integer', minimum: -430 } } },
  },
  additionalProperties: false,
});

const Comparison = yup.object({
  stations: yup.string().matches(/^[A-Z]{3}\d(,[A-Z]{3}\d)+$/).required(),
  metric: yup.string().oneOf(['temperature', 'wind', 'snow']).required(),
  since: yup.date().max(new Date('2040-01-01')),
});

const SERIES = { temperature: { HAM1: { mean: 9.8 }, OSL1: { mean: 6.3 } }, wind: { HAM1: { mean: 5.1 }, OSL1: { mean: 3 } } };
const UNITS = { metric: { suffix: 'C' }, kelvin: { suffix: 'K' } };
const ZONES = [{ name: 'north', from: 55, to: 72 }, { name: 'middle', from: 45, to: 55 }];

const stations = new Map([
  ['HAM1', { id: 'HAM1', lat: 53.5, lon: 10, readings: [{ at: '2024-05-01T10:00:00Z', values: { temperature: 14 } }] }],
  ['OSL1', { id: 'OSL1', lat: 59.9, lon: 10.7, owner: { name: 'Ida' }, readings: [] }],
]);

export function list(request, response, url) {
  let found = [...stations.values()];
  const box = url.searchParams.get('bbox');
  if (box) {
    const [west, south, east, north] = box.split(',').map(Number);
    if (![west, south, east, north].every(Number.isFinite)) throw new HttpError(400, 'bbox is west,south,east,north');
    const zone = ZONES.find((one) => south >= one.from && north < one.to);
    found = found.filter((one) => one.lon >= west && one.lon <= east);
    return sendJson(response, 200, { zone: zone.name, stations: found });
  }
  const filter = url.searchParams.get('filter');
  if (filter) {
    let wanted;
    try {
      wanted = JSON.parse(filter);
    } catch {
      throw new HttpError(400, 'filter is JSON');
    }
    if (wanted?.kind === 'height') found = found.filter((one) => one.height >= wanted.range.min);
  }
  const { units } = cookiesOf(request);
  const suffix = units ? UNITS[units].suffix : 'C';
  sendJson(response, 200, { suffix, stations: found });
}

/** A new station gets the key that it sends its readings with. */
export async function add(request, response) {
  const { id, lat, lon } = await readJson(request);
  if (!/^[A-Z]{3}\d$/.test(id) || typeof lat !== 'number' || typeof lon !== 'number') throw new HttpError(400, 'id, lat and lon');
  if (stations.has(id)) throw new HttpError(409, 'there is such a station');
  const key = randomBytes(8).toString('hex');
  stations.set(id, { id, lat, lon, key, readings: [] });
  sendJson(response, 201, { id, key });
}

export async function compare(response, url) {
  let query;
  try {
    query = await Comparison.validate(Object.fromEntries(url.searchParams));
  } catch (error) {
    if (error instanceof yup.ValidationError) throw new HttpError(400, error.message);
    throw error;
  }
  const means = query.stations.split(',').map((id) => SERIES[query.metric][id].mean);
  sendJson(response, 200, { metric: query.metric, means });
}

export async function one(request, response, url, id, part) {
  const station = stations.get(id);
  if (!station) throw new HttpError(404, 'no such station');
  const key = `${request.method} ${part ?? ''}`;
  if (key === 'GET ') return show(request, response, station);
  if (key === 'POST readings') return addReading(request, response, station);
  if (key === 'GET latest') return latest(request, response, station);
  if (key === 'PUT location') return move(request, response, station);
  if (key === 'POST photo') return photo(request, response, station);
  if (key === 'POST ping') return ping(request, response, station);
  throw new HttpError(405, 'no such method here');
}

function show(request, response, station) {
  const { key, ...shown } = station;
  if (/application\/vnd\.weather\.v2\+json/.test(request.headers.accept)) {
    return sendJson(response, 200, { data: shown, owner: station.owner.name });
  }
  sendJson(response, 200, shown);
}

async function addReading(request, response, station) {
  if (!station.key || request.headers['x-station-key'] !== station.key) throw new HttpError(401, 'the key of the station is missing');
  const reading = await readJson(request);
  if (!isReading(reading)) throw new HttpError(422, ajv.errorsText(isReading.errors));
  if (reading.quality === 'checked') reading.by = reading.checkedBy.initials.toUpperCase();
  station.readings.push(reading);
  sendJson(response, 201, { readings: station.readings.length });
}

function latest(request, response, station) {
  const since = request.headers['if-modified-since'];
  const last = station.readings.at(-1);
  if (since) {
    const at = new Date(since).toISOString();
    if (last && at >= last.at) return response.writeHead(304).end();
  }
  sendJson(response, 200, { latest: last ?? null });
}

async function move(request, response, station) {
  const location = await readJson(request);
  if (!isLocation(location)) throw new HttpError(422, ajv.errorsText(isLocation.errors));
  if (location.lat > 66.5) station.metres = location.altitude.metres;
  Object.assign(station, { lat: location.lat, lon: location.lon });
  sendJson(response, 200, { lat: station.lat, lon: station.lon });
}

function photo(request, response, station) {
  if (!request.headers['content-type']?.startsWith('multipart/form-data')) throw new HttpError(415, 'photos come as a form');
  return new Promise((resolve, reject) => {
    const fields = {};
    const files = [];
    const form = busboy({ headers: request.headers, limits: { files: 2, fileSize: 200_000 } });
    form.on('field', (name, value) => {
      fields[name] = value;
    });
    form.on('file', (name, stream, { filename, mimeType }) => {
      const chunks = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => files.push({ name, filename, mimeType, size: Buffer.concat(chunks).length }));
    });
    form.on('error', (error) => reject(new HttpError(400, error.message)));
    form.on('close', () => {
      try {
        const photo = files.find((file) => file.name === 'photo');
        if (!photo) throw new HttpError(400, 'photo is missing');
        if (photo.mimeType === 'image/jpeg') photo.taken = fields.taken.slice(0, 10);
        sendJson(response, 201, { station: station.id, ...photo });
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    request.pipe(form);
  });
}

async function ping(request, response, station) {
  const { battery } = await readJson(request);
  if (typeof battery !== 'object' || battery === null) throw new HttpError(400, 'battery is missing');
  sendJson(response, 202, { id: station.id });
  setImmediate(() => {
    station.battery = battery.low ? `low: ${battery.volts.toFixed(1)} V` : 'fine';
  });
}
