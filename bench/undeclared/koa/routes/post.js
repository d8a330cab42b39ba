const Router = require('@koa/router');

const router = new Router();

/** A note in plain text: the subject in a line of its own. */
router.post('/notes', (ctx) => {
  const text = ctx.request.body;
  if (typeof text !== 'string' || text.length === 0) ctx.throw(415, 'a note is plain text');
  const note = { length: text.length, urgent: text.startsWith('URGENT') };
  if (note.urgent) note.subject = text.match(/^subject: (.+)$/im)[1];
  ctx.status = 201;
  ctx.body = note;
});

router.post('/receipts', (ctx) => {
  const { receipt } = ctx.request.files ?? {};
  if (!receipt || Array.isArray(receipt)) ctx.throw(400, 'one receipt is needed');
  const saved = { name: receipt.originalFilename, bytes: receipt.size };
  if (receipt.mimetype === 'application/pdf') saved.pages = ctx.request.body.pages.split(',').length;
  ctx.status = 201;
  ctx.body = saved;
});

/** The feedback form: rating[taste]=4&rating[service]=5 */
router.post('/feedback', (ctx) => {
  if (!ctx.is('urlencoded')) ctx.throw(415, 'this is a form');
  const { rating, name } = ctx.request.body;
  if (!rating) ctx.throw(400, 'rating is missing');
  ctx.body = { name, average: (Number(rating.taste) + Number(rating.service.trim())) / 2 };
});

module.exports = router;
