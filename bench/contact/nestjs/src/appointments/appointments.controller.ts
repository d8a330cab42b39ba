import { Body, Controller, Get, HttpCode, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiCreatedResponse, ApiNotFoundResponse, ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Appointment, Done, Letter, NewAppointment } from './appointment.dto';
import { AppointmentsService } from './appointments.service';

@ApiTags('appointments')
@Controller('appointments')
export class AppointmentsController {
  constructor(private readonly appointments: AppointmentsService) {}

  @Post()
  @ApiCreatedResponse({ type: Appointment })
  @ApiNotFoundResponse()
  @ApiConflictResponse()
  add(@Body() input: NewAppointment) {
    return this.appointments.add(input);
  }

  @Get(':id/letter')
  @ApiOkResponse({ type: Letter })
  @ApiNotFoundResponse()
  letter(@Param('id', ParseIntPipe) id: number) {
    return this.appointments.letter(id);
  }

  @Get(':id/patient')
  @ApiOkResponse({ type: Letter })
  @ApiNotFoundResponse()
  patient(@Param('id', ParseIntPipe) id: number) {
    return this.appointments.patientName(id);
  }

  @Post(':id/done')
  @HttpCode(200)
  @ApiQuery({ name: 'minutes', type: Number, required: false })
  @ApiOkResponse({ type: Done })
  @ApiNotFoundResponse()
  @ApiConflictResponse()
  done(@Param('id', ParseIntPipe) id: number, @Query('minutes') minutes: string) {
    return this.appointments.doneOf(id, minutes);
  }
}
