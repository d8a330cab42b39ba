import { Injectable, NotFoundException } from '@nestjs/common';
import { CreateTalkDto, Level, ListTalksDto } from './talk.dto';

const DAYS = [{ date: '2024-09-10', opens: '09:00' }, { date: '2024-09-11', opens: '08:30' }];

export interface Talk extends CreateTalkDto {
  id: number;
}

@Injectable()
export class TalksService {
  private readonly talks = new Map<number, Talk>();

  constructor() {
    this.create({
      title: 'Streams',
      track: 'web-node',
      level: Level.Beginner,
      minutes: 30,
      startsAt: new Date('2024-09-10T10:00:00Z'),
      authors: [{ name: 'Ida' }],
    });
  }

  list(filter: ListTalksDto): unknown {
    const found = [...this.talks.values()].filter((talk) => !filter.level || talk.level === filter.level);
    if (!filter.day) return found;
    const day = DAYS[filter.day - 1];
    return { date: day.date, talks: found.filter((talk) => talk.startsAt.toISOString().startsWith(day.date)) };
  }

  get(id: number): Talk {
    const talk = this.talks.get(id);
    if (!talk) throw new NotFoundException('no such talk');
    return talk;
  }

  create(fields: CreateTalkDto): Talk & { chair?: string } {
    const talk = { id: this.talks.size + 1, ...fields };
    this.talks.set(talk.id, talk);
    if (fields.authors.length >= 3) return { ...talk, chair: fields.moderator.name };
    return talk;
  }

  contact(id: number): string {
    const talk = this.get(id);
    return talk.authors[talk.authors.length - 1].email.toLowerCase();
  }
}
