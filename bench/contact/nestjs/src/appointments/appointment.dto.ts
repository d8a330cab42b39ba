import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';

export class NewAppointment {
  @ApiProperty({ minimum: 1, type: 'integer' }) @IsInt() @Min(1) patientId: number;
  @ApiProperty({ minimum: 1, type: 'integer' }) @IsInt() @Min(1) doctorId: number;
  @ApiProperty({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])$' })
  @Matches(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/)
  day: string;
  @ApiProperty({ minimum: 8, maximum: 17, type: 'integer' }) @IsInt() @Min(8) @Max(17) hour: number;
  @ApiPropertyOptional() @IsOptional() @IsString() @Length(0, 200) reason?: string;
}

export class Appointment extends NewAppointment {
  @ApiProperty() id: number;
  @ApiProperty({ enum: ['planned', 'done'] }) state: string;
}

export class Letter {
  @ApiProperty() to: string;
  @ApiProperty() text: string;
}

export class Done {
  @ApiProperty({ type: 'integer' }) minutes: number;
}
