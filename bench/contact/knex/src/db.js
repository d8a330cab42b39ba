'use strict';

const knex = require('knex');

const db = knex({ client: 'pg', connection: process.env.DATABASE_URL, pool: { min: 0, max: 5 } });

async function migrate() {
  if (await db.schema.hasTable('employees')) return;
  await db.schema.createTable('employees', (table) => {
    table.increments('id');
    table.string('name', 80).notNullable();
    table.string('email', 120).notNullable().unique();
    table.integer('manager_id').references('employees.id');
  });
  await db.schema.createTable('reports', (table) => {
    table.increments('id');
    table.integer('employee_id').notNullable().references('employees.id');
    table.string('title', 80).notNullable();
    table.string('status', 10).notNullable().defaultTo('open');
    table.string('paid_with', 30).unique();
  });
  await db.schema.createTable('expenses', (table) => {
    table.increments('id');
    table.integer('report_id').notNullable().references('reports.id');
    table.string('kind', 20).notNullable();
    table.integer('cents').notNullable();
    table.date('spent_on').notNullable();
    table.string('receipt', 60);
  });
  await db('employees').insert([
    { name: 'Sato', email: 'sato@example.com', manager_id: null },
    { name: 'Lopez', email: 'lopez@example.com', manager_id: 1 },
  ]);
  await db('reports').insert([
    { employee_id: 2, title: 'Fair in Lyon' },
    { employee_id: 1, title: 'Client visit', status: 'approved' },
  ]);
  await db('expenses').insert([
    { report_id: 1, kind: 'travel', cents: 12900, spent_on: '2024-06-03', receipt: 'r-17.pdf' },
    { report_id: 1, kind: 'meal', cents: 1850, spent_on: '2024-06-04' },
  ]);
}

module.exports = { db, migrate };
