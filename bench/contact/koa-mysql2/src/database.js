'use strict';

const mysql = require('mysql2/promise');

const pool = mysql.createPool({ uri: process.env.DATABASE_URL, connectionLimit: 5, dateStrings: true });

module.exports = { pool };
