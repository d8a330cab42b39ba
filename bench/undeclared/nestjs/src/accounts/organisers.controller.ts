import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsDate, IsIn, IsOptional, ValidateNested } from 'class-validator';
import { JwtGuard, Roles, RolesGuard } from './guards';

class SlotDto {
  @Type(() => Date)
  @IsDate()
  from: Date;

  @IsOptional()
  @Type(() => Date)
  @IsDate()
  until?: Date;
}

class RoomDto {
  @IsIn(['hall', 'studio', 'garden'])
  name: string;

  @ValidateNested()
  @Type(() => SlotDto)
  slot: SlotDto;
}

@Controller('organisers')
@UseGuards(JwtGuard, RolesGuard)
@Roles('organiser')
export class OrganisersController {
  @Get('rooms')
  rooms() {
    return ['hall', 'studio', 'garden'];
  }

  @Post('rooms')
  plan(@Body() room: RoomDto) {
    return { name: room.name, minutes: (room.slot.until.getTime() - room.slot.from.getTime()) / 60_000 };
  }
}
