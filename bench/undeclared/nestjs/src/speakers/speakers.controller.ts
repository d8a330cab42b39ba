import { Body, Controller, Get, NotFoundException, Param, ParseArrayPipe, ParseEnumPipe, ParseUUIDPipe, Patch, Post, Query, UsePipes } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ZodValidationPipe } from '../shared/zod.pipe';

const Speaker = z.strictObject({
  name: z.string().min(2).max(60),
  country: z.string().length(2).toUpperCase(),
  languages: z.record(z.enum(['en', 'de', 'fr']), z.enum(['native', 'fluent'])).or(z.object({})),
  socials: z.array(z.object({ site: z.enum(['mastodon', 'github']), handle: z.string().startsWith('@') })).max(4).default([]),
  travel: z.object({ from: z.string(), on: z.coerce.date() }).optional(),
});

enum Diet {
  None = 'none',
  Vegan = 'vegan',
  Halal = 'halal',
}

const MENUS = { none: { price: 30 }, vegan: { price: 25 } };
const VISA = { US: { days: 90 }, IN: { days: 30 } };

@Controller('speakers')
export class SpeakersController {
  private readonly speakers = new Map<string, any>();

  @Post()
  @UsePipes(new ZodValidationPipe(Speaker))
  create(@Body() fields: z.infer<typeof Speaker>) {
    const speaker = { id: randomUUID(), ...fields };
    this.speakers.set(speaker.id, speaker);
    if (fields.travel) return { ...speaker, visaDays: VISA[fields.country].days };
    return speaker;
  }

  @Get()
  compare(@Query('names', new ParseArrayPipe({ items: String, separator: ',', optional: true })) names?: string[]) {
    const all = [...this.speakers.values()];
    if (!names) return all;
    if (names.length === 2) return names.map((name) => all.find((one) => one.name === name).id);
    return all.filter((one) => names.includes(one.name));
  }

  @Get('menus/:diet')
  menu(@Param('diet', new ParseEnumPipe(Diet)) diet: Diet) {
    return { diet, price: MENUS[diet].price };
  }

  @Patch(':id')
  change(@Param('id', ParseUUIDPipe) id: string, @Body() change: Record<string, any>) {
    const speaker = this.speakers.get(id);
    if (!speaker) throw new NotFoundException('no such speaker');
    if (change.hotel) speaker.hotel = { name: change.hotel.name, nights: change.hotel.dates.length };
    return speaker;
  }
}
