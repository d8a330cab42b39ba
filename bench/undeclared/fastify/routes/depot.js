const SHIFTS = [undefined, ['early', 'late'], ['early', 'late'], ['early', 'late'], ['early'], ['early', 'late'], ['early']];
const PASSWORDS = new Map([['kiosk', process.env.KIOSK_PASSWORD ?? 'kiosk']]);

function userOf(authorization) {
  const [scheme, encoded = ''] = authorization.split(' ');
  if (scheme !== 'Basic') return null;
  const [name, password] = Buffer.from(encoded, 'base64').toString().split(':');
  const wanted = PASSWORDS.get(name);
  return password.length > 0 && wanted === password ? name : null;
}

export default async function (app) {
  app.get('/gate', async (request, reply) => {
    const { depot } = request.cookies;
    if (!depot) return reply.setCookie('depot', 'north|1', { path: '/' }).send({ depot: 'north', gate: '01' });
    const [name, gate] = depot.split('|');
    return { depot: name, gate: gate.padStart(2, '0') };
  });

  app.get('/manifests/:day(^\\d{4}-\\d{2}-\\d{2}$)', async (request, reply) => {
    const weekday = new Date(request.params.day).getUTCDay();
    if (Number.isNaN(weekday)) return reply.code(400).send({ error: 'no such day' });
    return { day: request.params.day, shifts: SHIFTS[weekday].length };
  });

  app.get('/archive/*', async (request) => {
    const [year, box] = request.params['*'].split('/');
    if (!/^20\d\d$/.test(year)) return { boxes: [] };
    return { year, box: box.toUpperCase() };
  });

  app.post('/labels', async (request, reply) => {
    if (!request.isMultipart()) return reply.code(415).send({ error: 'a CSV file is needed' });
    const file = await request.file();
    if (!file) return reply.code(400).send({ error: 'a CSV file is needed' });
    const lines = (await file.toBuffer()).toString('utf8').trim().split('\n');
    if (lines[0].trim() !== 'code,name,place') return reply.code(400).send({ error: 'the first line is code,name,place' });
    const labels = lines.slice(1).map((line) => {
      const columns = line.split(',');
      return { code: columns[0], name: columns[1].trim(), place: columns[2].trim() };
    });
    return { labels };
  });

  app.get('/kiosk', async (request, reply) => {
    const user = request.headers.authorization ? userOf(request.headers.authorization) : null;
    if (!user) return reply.code(401).header('www-authenticate', 'Basic realm="depot"').send({ error: 'log in first' });
    return { user };
  });
}
