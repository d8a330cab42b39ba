import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

export enum Level {
  Beginner = 'beginner',
  Advanced = 'advanced',
}

export class AuthorDto {
  @IsString()
  @Length(2, 40)
  name: string;

  @IsOptional()
  @IsEmail()
  email?: string;

  @IsOptional()
  @IsUrl()
  site?: string;
}

export class CreateTalkDto {
  @IsNotEmpty()
  @Length(3, 80)
  title: string;

  @Matches(/^(web|data|ops)-[a-z]{2,10}$/)
  track: string;

  @IsEnum(Level)
  level: Level;

  @IsInt()
  @Min(10)
  @Max(90)
  minutes: number;

  @Type(() => Date)
  @IsDate()
  startsAt: Date;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(4)
  @ValidateNested({ each: true })
  @Type(() => AuthorDto)
  authors: AuthorDto[];

  @IsOptional()
  @ValidateNested()
  @Type(() => AuthorDto)
  moderator?: AuthorDto;
}

export class ListTalksDto {
  @IsOptional()
  @IsEnum(Level)
  level?: Level;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  day?: number;

  @IsOptional()
  @IsString()
  @Matches(/^[0-2]\d:[0-5]\d$/)
  after?: string;
}
