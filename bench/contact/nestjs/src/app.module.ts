import { Module } from '@nestjs/common';
import { AppointmentsController } from './appointments/appointments.controller';
import { AppointmentsService } from './appointments/appointments.service';
import { Reminders } from './appointments/reminders';
import { DoctorsController } from './doctors/doctors.controller';
import { DoctorsService } from './doctors/doctors.service';
import { PatientsController } from './patients/patients.controller';
import { PatientsService } from './patients/patients.service';

@Module({
  controllers: [PatientsController, DoctorsController, AppointmentsController],
  providers: [PatientsService, DoctorsService, AppointmentsService, Reminders],
})
export class AppModule {}
