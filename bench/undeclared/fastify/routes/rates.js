const ZONES = { DE: 1, DK: 2, SE: 2, NO: 3 };
const EXPRESS = { DE: { surcharge: 6.5 }, DK: { surcharge: 9 } };

export default async function (app) {
  app.get(
    '/rates',
    {
      schema: {
        querystring: {
          type: 'object',
          required: ['country', 'grams'],
          properties: {
            country: { enum: Object.keys(ZONES) },
            grams: { type: 'number', minimum: 1, maximum: 30000 },
            express: { type: 'boolean', default: false },
            contents: { type: 'array', items: { enum: ['books', 'glass', 'liquid'] }, maxItems: 3 },
          },
        },
      },
    },
    async ({ query }) => {
      let price = ZONES[query.country] * 3 + query.grams / 1000;
      if (query.express) price += EXPRESS[query.country].surcharge;
      return { price, contents: query.contents ?? [] };
    },
  );
}
