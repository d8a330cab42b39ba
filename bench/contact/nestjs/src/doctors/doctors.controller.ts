import { Controller, Get, Param, ParseIntPipe, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiProperty, ApiPropertyOptional, ApiQuery, ApiTags } from '@nestjs/swagger';
import { DoctorsService } from './doctors.service';

class DoctorView {
  @ApiProperty() id: number;
  @ApiProperty() name: string;
  @ApiPropertyOptional() speciality?: string;
  @ApiProperty({ type: [String] }) days: string[];
}

@ApiTags('doctors')
@Controller('doctors')
export class DoctorsController {
  constructor(private readonly doctors: DoctorsService) {}

  @Get()
  @ApiQuery({ name: 'name', type: String })
  @ApiQuery({ name: 'speciality', type: String, required: false })
  @ApiOkResponse({ type: [DoctorView] })
  search(@Query('name') name: string, @Query('speciality') speciality?: string) {
    return this.doctors.search(name, speciality);
  }

  @Get(':id')
  @ApiOkResponse({ type: DoctorView })
  @ApiNotFoundResponse()
  find(@Param('id', ParseIntPipe) id: number) {
    return this.doctors.find(id);
  }
}
