import { BadRequestException, Body, Controller, DefaultValuePipe, Get, Header, HttpCode, ParseBoolPipe, ParseIntPipe, Post, Query, Req } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { Equals, IsBoolean, IsCreditCard, IsIn, IsISO31661Alpha2, IsObject, IsOptional, IsPhoneNumber, Min, ValidateIf } from 'class-validator';
import type { Request } from 'express';

class OrderDto {
  @IsIn(['standard', 'student', 'company'])
  kind: 'standard' | 'student' | 'company';

  @Transform(({ value }) => Number(value))
  @Min(1)
  seats: number;

  @ValidateIf((order: OrderDto) => order.kind === 'company')
  @IsISO31661Alpha2()
  country?: string;

  @IsOptional()
  @IsPhoneNumber()
  phone?: string;

  @IsOptional()
  @IsCreditCard()
  card?: string;

  @IsOptional()
  @IsObject()
  extras?: Record<string, { price: number; dates?: string[] }>;

  @Type(() => Boolean)
  @IsBoolean()
  @Equals(true)
  terms: boolean;
}

const VAT = { DE: { percent: 19 }, FR: { percent: 20 }, DK: { percent: 25 } };
const PRICES = [{ upTo: 1, price: 300 }, { upTo: 5, price: 280 }, { upTo: 50, price: 250 }];

@Controller('tickets')
export class TicketsController {
  @Post()
  order(@Body() order: OrderDto) {
    const price = order.seats * 300;
    if (order.kind === 'company') return { price: price * (1 + VAT[order.country].percent / 100) };
    const workshops = Object.entries(order.extras ?? {}).filter(([name]) => name.startsWith('workshop-'));
    return { price, workshops: workshops.map(([name, extra]) => `${name} on ${extra.dates[0]}`) };
  }

  @Get('price')
  price(
    @Query('seats', new DefaultValuePipe(1), ParseIntPipe) seats: number,
    @Query('early', new ParseBoolPipe({ optional: true })) early?: boolean,
  ) {
    const step = PRICES.find((one) => seats <= one.upTo);
    return { price: step.price * seats * (early ? 0.9 : 1) };
  }

  /** Vouchers come as CSV: code,percent,until in each line. */
  @Post('vouchers')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  vouchers(@Req() request: Request) {
    if (typeof request.body !== 'string' || !request.body.includes(',')) throw new BadRequestException('CSV is needed');
    return request.body.trim().split('\n').map((line) => {
      const [code, percent, until] = line.split(',');
      return { code, percent: Number(percent), until: until.trim() };
    });
  }
}
