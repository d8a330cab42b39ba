const Router = require('@koa/router');

const modules = [
  require('./products'),
  require('./orders'),
  require('./farms'),
  require('./account'),
  require('./board'),
  require('./shifts'),
  require('./seasons'),
  require('./post'),
];

/** All routers, behind one prefix for the proxy in front. */
function routes() {
  const root = new Router({ prefix: '/coop' });
  for (const router of modules) root.use(router.routes(), router.allowedMethods());
  return root.routes();
}

module.exports = { routes };
