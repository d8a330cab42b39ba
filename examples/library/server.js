'use strict';

const { createApp } = require('./src/app');
const { createSchema } = require('./src/database');

const port = Number(process.env.PORT ?? 3000);

async function main() {
  await createSchema();
  createApp().listen(port, '127.0.0.1', (error) => {
    if (error) throw error; // such as a port that is taken
    console.log(`library on http://127.0.0.1:${port}`);
  });
}

main().catch((error) => {
  console.error(`the library cannot open: ${error.message}`);
  process.exit(1);
});
