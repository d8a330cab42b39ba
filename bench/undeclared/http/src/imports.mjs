import { XMLParser } from 'fast-xml-parser';
import { HttpError, readText, sendJson } from './http.mjs';

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@' });

/** Readings, a JSON object in each line. */
export async function bulk(request, response) {
  if (request.headers['content-type'] !== 'application/x-ndjson') throw new HttpError(415, 'application/x-ndjson is needed');
  const lines = (await readText(request)).split('\n').filter(Boolean);
  const rounded = lines.map((line) => {
    let reading;
    try {
      reading = JSON.parse(line);
    } catch {
      throw new HttpError(400, 'a line is no JSON');
    }
    if (reading?.sensor !== 'thermometer') return null;
    return reading.values.temperature.toFixed(1);
  });
  sendJson(response, 200, { rounded });
}

/** id;name;height in each line, after a line of titles. */
export async function importCsv(request, response) {
  const [titles, ...lines] = (await readText(request)).split('\n');
  if (titles.trim() !== 'id;name;height') throw new HttpError(400, 'the titles are id;name;height');
  const rows = lines.filter(Boolean).map((line) => line.split(';'));
  sendJson(response, 200, { heights: rows.map((row) => ({ id: row[0], height: Number(row[2].replace(',', '.')) })) });
}

/** A report of an observer: <report day="2024-05-01"><station>HAM1</station><sky cover="3"/>...</report> */
export async function report(request, response) {
  if (!(request.headers['content-type'] ?? '').includes('xml')) throw new HttpError(415, 'XML is needed');
  let document;
  try {
    document = parser.parse(await readText(request));
  } catch (error) {
    throw new HttpError(400, error.message);
  }
  const { report } = document;
  if (!report?.station) throw new HttpError(400, 'report/station is missing');
  const cover = Number(report.sky['@cover']);
  sendJson(response, 201, { station: report.station, cover });
}
