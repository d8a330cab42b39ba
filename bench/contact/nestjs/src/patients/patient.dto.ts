import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, Length, Matches, ValidateNested } from 'class-validator';

export class Insurance {
  @ApiProperty() @IsString() @Length(1, 40) company: string;
  @ApiProperty() @IsString() @Length(1, 20) number: string;
}

export class NewPatient {
  @ApiProperty({ minLength: 1, maxLength: 60 }) @IsString() @Length(1, 60) name: string;
  @ApiProperty({ format: 'email' }) @IsEmail() email: string;
  @ApiProperty({ pattern: '^(19|20)\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' })
  @Matches(/^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
  bornOn: string;
  @ApiPropertyOptional({ type: Insurance }) @IsOptional() @ValidateNested() @Type(() => Insurance) insurance?: Insurance;
}

export class Patient extends NewPatient {
  @ApiProperty() id: number;
}

export class Card {
  @ApiProperty() name: string;
  @ApiProperty() insuredWith: string;
}

export class Age {
  @ApiProperty({ minimum: 0, type: 'integer' }) years: number;
  @ApiProperty() sign: string;
}

export class Page {
  @ApiPropertyOptional({ minimum: 1, type: 'integer' }) @IsOptional() @IsInt() @Type(() => Number) page?: number;
}
