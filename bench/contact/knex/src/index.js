'use strict';

const { createApp } = require('./app');
const { migrate } = require('./db');

const port = process.env.PORT || 3000;

migrate()
  .then(() => createApp().listen(port, () => console.log(`expenses on port ${port}`)))
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
