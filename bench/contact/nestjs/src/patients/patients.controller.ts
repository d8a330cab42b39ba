import { Body, Controller, Delete, Get, HttpCode, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Age, Card, NewPatient, Page, Patient } from './patient.dto';
import { PatientsService } from './patients.service';

@ApiTags('patients')
@Controller('patients')
export class PatientsController {
  constructor(private readonly patients: PatientsService) {}

  @Get()
  @ApiOkResponse({ type: [Patient] })
  list(@Query() query: Page) {
    return this.patients.list(query.page);
  }

  @Post()
  @HttpCode(200)
  @ApiCreatedResponse({ type: Patient })
  add(@Body() input: NewPatient) {
    return this.patients.add(input);
  }

  @Get(':id/card')
  @ApiOkResponse({ type: Card })
  @ApiNotFoundResponse()
  card(@Param('id', ParseIntPipe) id: number) {
    return this.patients.card(id);
  }

  @Get(':id/age')
  @ApiOkResponse({ type: Age })
  @ApiNotFoundResponse()
  age(@Param('id', ParseIntPipe) id: number) {
    return this.patients.age(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  remove(@Param('id', ParseIntPipe) id: number) {
    this.patients.remove(id);
  }
}
