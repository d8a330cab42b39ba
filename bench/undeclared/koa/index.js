const mongoose = require('mongoose');
const { app } = require('./app');

async function main() {
  await mongoose.connect(process.env.MONGODB_URL || 'mongodb://127.0.0.1:27017/food-coop');
  app.listen(Number(process.env.PORT || 3000), '127.0.0.1');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
