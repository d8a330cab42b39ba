'use strict';

require('reflect-metadata');
const { createApp } = require('./app');
const { dataSource, seed } = require('./data-source');

async function main() {
  await dataSource.initialize();
  await seed();
  createApp().listen(Number(process.env.PORT) || 3000, () => console.log('the gym is open'));
}

main();
