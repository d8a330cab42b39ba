'use strict';

const { DataTypes, Sequelize } = require('sequelize');

const sequelize = new Sequelize(process.env.DATABASE_URL, { dialect: 'postgres', logging: false });

const Customer = sequelize.define(
  'Customer',
  {
    name: { type: DataTypes.STRING(80), allowNull: false, validate: { notEmpty: true } },
    email: { type: DataTypes.STRING(120), allowNull: false, unique: true, validate: { isEmail: true } },
    vatNumber: { type: DataTypes.STRING(14) },
    creditLimit: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 100000, validate: { min: 0, max: 10000000 } },
  },
  { tableName: 'customers', underscored: true, timestamps: false },
);

const Invoice = sequelize.define(
  'Invoice',
  {
    number: { type: DataTypes.STRING(20), allowNull: false, unique: true },
    status: { type: DataTypes.ENUM('draft', 'sent', 'paid'), allowNull: false, defaultValue: 'draft' },
    issuedOn: { type: DataTypes.DATEONLY },
  },
  { tableName: 'invoices', underscored: true, timestamps: false },
);

const Line = sequelize.define(
  'Line',
  {
    text: { type: DataTypes.STRING(100), allowNull: false, validate: { notEmpty: true } },
    quantity: { type: DataTypes.INTEGER, allowNull: false, validate: { min: 1, max: 10000 } },
    priceCents: { type: DataTypes.INTEGER, allowNull: false, validate: { min: 0, max: 10000 } },
  },
  { tableName: 'lines', underscored: true, timestamps: false },
);

const Payment = sequelize.define(
  'Payment',
  {
    cents: { type: DataTypes.INTEGER, allowNull: false, validate: { min: 1 } },
    reference: { type: DataTypes.STRING(40), unique: true },
  },
  { tableName: 'payments', underscored: true, timestamps: false },
);

Customer.hasMany(Invoice, { foreignKey: { name: 'customerId', allowNull: false } });
Invoice.belongsTo(Customer, { foreignKey: 'customerId' });
Invoice.hasMany(Line, { foreignKey: { name: 'invoiceId', allowNull: false }, onDelete: 'CASCADE' });
Invoice.hasMany(Payment, { foreignKey: { name: 'invoiceId', allowNull: false }, onDelete: 'RESTRICT' });

async function connect() {
  await sequelize.sync();
  if (await Customer.count()) return;
  const [ada, ben] = await Customer.bulkCreate([
    { name: 'Ada Works', email: 'ada@example.com', vatNumber: 'DE123456789' },
    { name: 'Ben & Sons', email: 'ben@example.com' },
  ]);
  const [paid, draft] = await Invoice.bulkCreate([
    { number: '2024-0001', status: 'paid', issuedOn: '2024-03-31', customerId: ada.id },
    { number: '2024-0002', customerId: ben.id },
  ]);
  await Line.bulkCreate([
    { text: 'Paint', quantity: 3, priceCents: 1900, invoiceId: paid.id },
    { text: 'Brush', quantity: 1, priceCents: 700, invoiceId: draft.id },
  ]);
  await Payment.create({ cents: 5700, reference: 'R-1', invoiceId: paid.id });
}

module.exports = { Customer, Invoice, Line, Payment, connect, sequelize };
