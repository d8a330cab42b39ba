'use strict';

const { createApp } = require('./src/app');

const port = Number(process.env.PORT ?? 3000);

createApp().listen(port, '127.0.0.1', (error) => {
  if (error) {
    throw error; // such as a port that is taken
  }
  console.log(`bookshop on http://127.0.0.1:${port}`);
});
