'use strict';
/** Models of three ORMs that demand more of their columns than the database does. */

require('reflect-metadata');
const http = require('node:http');
const { IsEmail, IsIn, IsInt, Length, Matches, Max, Min } = require('class-validator');
const { integer, sqliteTable, text } = require('drizzle-orm/sqlite-core');
const { DataTypes, Sequelize } = require('sequelize');
const { Column, DataSource, Entity, PrimaryGeneratedColumn } = require('typeorm');

const sequelize = new Sequelize(process.env.DATABASE_URL, { logging: false, dialect: 'postgres' });
const Member = sequelize.define(
  'member',
  {
    email: { type: DataTypes.STRING, allowNull: false, validate: { isEmail: true, len: [5, 40] } },
    level: { type: DataTypes.TEXT, validate: { isIn: [['basic', 'gold']] } },
    code: { type: DataTypes.TEXT, validate: { is: /^[A-Z]{2}-\d{4}$/i } },
    visitCount: { type: DataTypes.INTEGER, field: 'visit_count', validate: { min: 0, max: { args: [1000], msg: 'too many' } } },
  },
  { tableName: 'members', timestamps: false },
);

class Person {}
PrimaryGeneratedColumn()(Person.prototype, 'id');
class Guest extends Person {}
Entity({ name: 'guests' })(Guest);
const columns = {
  mail: [{ type: 'text', nullable: false }, IsEmail()],
  kind: [{ type: 'text', nullable: true }, IsIn(['day', 'night'])],
  room: [{ type: 'text', nullable: true }, Matches(/^R\d+$/), Length(2, 5)],
  nights: [{ type: 'int', nullable: true, name: 'n_nights' }, IsInt(), Min(1), Max(30)],
  notes: [{ type: 'simple-json', nullable: true }],
};
for (const [name, [options, ...rules]] of Object.entries(columns)) {
  Column(options)(Guest.prototype, name);
  for (const rule of rules) rule(Guest.prototype, name);
}

sqliteTable('patients', {
  id: integer('id').primaryKey(),
  allergies: text('known_allergies', { mode: 'json' }),
  ward: text('ward', { enum: ['north', 'south'] }).notNull(),
  isFasting: integer('is_fasting', { mode: 'boolean' }),
  room: text('room', { length: 5 }).notNull().default('none'),
});

async function main() {
  await sequelize.query(`CREATE TABLE members (id serial PRIMARY KEY, email text, level text, code text, visit_count int)`);
  await sequelize.query(`CREATE TABLE guests (id serial PRIMARY KEY, mail text, kind text, room text, n_nights int, notes text)`);
  const source = await new DataSource({ type: 'postgres', url: process.env.DATABASE_URL, entities: [Guest] }).initialize();
  const guests = source.getRepository(Guest);
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, 'http://host');
    const found = url.pathname === '/members'
      ? await Member.findOne({ where: { email: url.searchParams.get('email') ?? '' } })
      : await guests.findOneBy({ mail: url.searchParams.get('mail') ?? '' });
    response.setHeader('content-type', 'application/json');
    response.statusCode = found === null ? 404 : 200;
    response.end(JSON.stringify(found));
  });
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
}

main();
