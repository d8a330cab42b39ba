'use strict';
/** Vendure's shop API as a user starts it: no plugins but the default ones, an empty SQLite database in memory. It is served at a usual path, so nobody has to name it. */
const { bootstrap, DefaultLogger, dummyPaymentHandler, LogLevel } = require('@vendure/core');

bootstrap({
  apiOptions: { port: Number(process.env.PORT || 3205), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'graphql' },
  authOptions: { tokenMethod: 'bearer', superadminCredentials: { identifier: 'superadmin', password: 'only-for-benchmarks' } },
  dbConnectionOptions: { type: 'sqljs', synchronize: true, logging: false },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Error }),
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
