import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import * as v from 'valibot';
import { userOf } from './accounts.mjs';
import { HttpError, readJson, sendJson } from './http.mjs';

const Alert = TypeCompiler.Compile(
  Type.Object({
    level: Type.Integer({ minimum: 1, maximum: 5 }),
    kind: Type.Enum({ storm: 'storm', flood: 'flood', heat: 'heat' }),
    areas: Type.Array(Type.String({ pattern: '^[A-Z]{2}-[A-Z]{1,3}$' }), { minItems: 1, maxItems: 10 }),
    contact: Type.Optional(Type.Object({ phone: Type.String({ minLength: 5 }) })),
    valid: Type.Tuple([Type.Number(), Type.Number()]),
  }),
);

const Subscription = v.object({
  channel: v.picklist(['mail', 'sms']),
  target: v.union([v.pipe(v.string(), v.email()), v.pipe(v.string(), v.regex(/^\+\d{7,15}$/))]),
  hours: v.tuple([v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(23)), v.pipe(v.number(), v.integer(), v.maxValue(24))]),
  night: v.optional(v.object({ sound: v.boolean() })),
});

export async function addAlert(request, response) {
  const alert = await readJson(request);
  if (!Alert.Check(alert)) throw new HttpError(422, [...Alert.Errors(alert)].map((one) => `${one.path}: ${one.message}`).join('; '));
  const call = alert.level >= 4 ? alert.contact.phone : null;
  sendJson(response, 201, { kind: alert.kind, call });
}

export async function addSubscription(request, response, name) {
  const { success, output, issues } = v.safeParse(Subscription, await readJson(request));
  if (!success) throw new HttpError(422, issues.map((issue) => issue.message).join('; '));
  const [from, until] = output.hours;
  const sound = from > until ? output.night.sound : true;
  sendJson(response, 200, { name, channel: output.channel, sound });
}

export async function forecast(request, response) {
  const user = userOf(request);
  if (user.role !== 'forecaster') throw new HttpError(403, 'only for forecasters');
  const { days } = await readJson(request);
  if (!Array.isArray(days)) throw new HttpError(400, 'days is a list');
  const outlook = days.length >= 7 ? days[6].summary.length : 0;
  sendJson(response, 201, { days: days.length, outlook });
}
