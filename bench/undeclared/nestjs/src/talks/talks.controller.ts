import { Body, Controller, Get, Headers, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { CreateTalkDto, ListTalksDto } from './talk.dto';
import { TalksService } from './talks.service';

const ZONES = { utc: { hours: 0 }, cet: { hours: 1 }, eet: { hours: 2 } };

@Controller('talks')
export class TalksController {
  constructor(private readonly talks: TalksService) {}

  @Get()
  list(@Query() filter: ListTalksDto) {
    return this.talks.list(filter);
  }

  @Post()
  create(@Body() talk: CreateTalkDto) {
    return this.talks.create(talk);
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number, @Headers('x-time-zone') zone?: string) {
    const talk = this.talks.get(id);
    if (!zone) return talk;
    const { hours } = ZONES[zone.toLowerCase()];
    return { ...talk, startsAt: new Date(talk.startsAt.getTime() + hours * 3_600_000) };
  }
}

@Controller({ path: 'talks', version: '2' })
export class TalksV2Controller {
  constructor(private readonly talks: TalksService) {}

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number) {
    return { data: this.talks.get(id) };
  }

  @Get(':id/contact')
  contact(@Param('id', ParseIntPipe) id: number) {
    return { email: this.talks.contact(id) };
  }
}
