'use strict';
// Jobs in Redis, of Bull and BullMQ: some are repeated each second, some are added by calls. What runs is written to the log.
const http = require('node:http');
const Bull = require('bull');
const { Queue, Worker } = require('bullmq');

const connection = { port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null };
const log = (what) => console.log(process.pid, what);
const answers = new Map();

async function work(job) {
  if (job.name === 'repeated') return log('repeated');
  return answers.get(job.data.id)(job.name);
}

const reports = new Queue('reports', { connection });
const mails = new Bull('mails', { redis: { port: connection.port } });

async function start() {
  await reports.add('repeated', {}, { repeat: { pattern: '* * * * * *' } });
  await reports.upsertJobScheduler('tidy', { every: 1000 }, { name: 'repeated' });
  await mails.add('repeated', {}, { repeat: { cron: '* * * * * *' } });
  new Worker('reports', work, { connection });
  mails.process('*', work);
  await Promise.all([reports.waitUntilReady(), mails.isReady()]);
}

const ways = {
  '/reports': (data) => reports.add('report', data),
  '/later': (data) => reports.add('report', data, { delay: 20 }),
  '/mails': (data) => mails.add('mail', data, { delay: 20 }),
};

let calls = 0;
const server = http.createServer(async (request, response) => {
  if (!(request.url in ways)) return response.writeHead(404).end();
  const id = `${process.pid} ${calls++}`;
  log('called');
  const done = new Promise((resolve) => answers.set(id, resolve));
  await ways[request.url]({ id });
  response.setHeader('Content-Type', 'application/json');
  return response.end(JSON.stringify(await done));
});
start().then(() => server.listen(Number(process.env.PORT)));
