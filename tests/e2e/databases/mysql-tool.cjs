'use strict';
// `fill FILE` runs a script, `dump` prints all rows of all tables in an order of their own, and the next numbers.
const fs = require('node:fs');
const mysql = require('mysql2/promise');

async function main([action, file]) {
  const connection = await mysql.createConnection({ uri: process.env.MYSQL_URL, multipleStatements: true });
  if (action === 'fill') await connection.query(fs.readFileSync(file, 'utf8'));
  else {
    const [tables] = await connection.query('SELECT table_name AS name, auto_increment AS next FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1');
    for (const { name, next } of tables) {
      const [rows] = await connection.query(`SELECT * FROM \`${name}\``);
      console.log(name, next, rows.map((row) => JSON.stringify(row)).sort());
    }
  }
  await connection.end();
}

main(process.argv.slice(2));
