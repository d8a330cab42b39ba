'use strict';

const mongoose = require('mongoose');
const { createApp } = require('./src/app');
const { Dog, Place, Stay } = require('./src/models');

const port = Number(process.env.PORT ?? 3000);

async function main() {
  await mongoose.connect(process.env.MONGODB_URL ?? 'mongodb://127.0.0.1:27017/kennel');
  await Promise.all([Dog.init(), Place.init(), Stay.init()]);
  createApp().listen(port, '127.0.0.1', (error) => {
    if (error) throw error; // such as a port that is taken
    console.log(`kennel on http://127.0.0.1:${port}`);
  });
}

main().catch((error) => {
  console.error(`the kennel cannot open: ${error.message}`);
  process.exit(1);
});
