import { login, me, register } from './accounts.mjs';
import { addAlert, addSubscription, forecast } from './alerts.mjs';
import { HttpError, sendJson } from './http.mjs';
import { bulk, importCsv, report } from './imports.mjs';
import * as stations from './stations.mjs';

export async function route(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const { pathname } = url;
  const { method } = request;

  if (pathname === '/' && method === 'GET') return sendJson(response, 200, { name: 'weather stations' });
  if (method === 'GET' && pathname === '/stations') return stations.list(request, response, url);
  if (method === 'POST' && pathname === '/stations') return stations.add(request, response);
  if (method === 'GET' && pathname === '/compare') return stations.compare(response, url);

  const station = /^\/stations\/([A-Z]{3}\d)(?:\/(\w+))?$/.exec(pathname);
  if (station) return stations.one(request, response, url, station[1], station[2]);

  const [, section, name] = pathname.split('/');
  switch (section) {
    case 'import':
      if (method !== 'POST') break;
      if (name === 'bulk') return bulk(request, response);
      if (name === 'csv') return importCsv(request, response);
      if (name === 'report') return report(request, response);
      break;
    case 'users':
      if (method === 'POST' && !name) return register(request, response);
      break;
    case 'login':
      if (method === 'POST') return login(request, response);
      break;
    case 'me':
      if (method === 'GET') return me(request, response, url, name);
      break;
    case 'alerts':
      if (method === 'POST') return addAlert(request, response);
      break;
    case 'forecasts':
      if (method === 'POST') return forecast(request, response);
      break;
    case 'subscriptions':
      if (method === 'PUT' && name) return addSubscription(request, response, name);
      break;
  }
  throw new HttpError(404, 'not found');
}
