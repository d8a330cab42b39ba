import { setTimeout } from 'node:timers/promises';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { DoctorsService } from '../doctors/doctors.service';
import { Patient } from '../patients/patient.dto';
import { PatientsService } from '../patients/patients.service';
import { Appointment, Done, Letter, NewAppointment } from './appointment.dto';
import { Reminders } from './reminders';

@Injectable()
export class AppointmentsService {
  private readonly appointments: Appointment[] = [
    { id: 1, patientId: 1, doctorId: 1, day: '2024-10-07', hour: 9, state: 'planned', reason: 'check-up' },
    { id: 2, patientId: 2, doctorId: 2, day: '2024-10-09', hour: 11, state: 'planned' },
  ];
  private readonly seen = new Map<number, Patient>();

  constructor(
    private readonly patients: PatientsService,
    private readonly doctors: DoctorsService,
    private readonly reminders: Reminders,
  ) {}

  private async patientOf(id: number): Promise<Patient> {
    if (!this.seen.has(id)) this.seen.set(id, await this.patients.find(id));
    return this.seen.get(id);
  }

  async add(input: NewAppointment): Promise<Appointment> {
    const patient = await this.patientOf(input.patientId);
    const doctor = this.doctors.find(input.doctorId);
    if (!this.doctors.worksOn(doctor, input.day)) throw new ConflictException('not on that day');
    const isTaken = this.appointments.some(
      (one) => one.doctorId === doctor.id && one.day === input.day && one.hour === input.hour,
    );
    if (isTaken) throw new ConflictException('the hour is taken');
    await setTimeout(10); // the calendar of the house is asked
    const appointment = { id: this.appointments.length + 1, ...input, state: 'planned' };
    this.appointments.push(appointment);
    this.reminders.plan(patient, input.day);
    return appointment;
  }

  async letter(id: number): Promise<Letter> {
    const appointment = this.appointments.find((one) => one.id === id);
    if (!appointment) throw new NotFoundException('no such appointment');
    const patient = await this.patients.find(appointment.patientId);
    return { to: patient.name, text: `${appointment.day}, ${appointment.hour}:00, because of ${appointment.reason.trim()}` };
  }

  doneOf(id: number, minutes: string): Done {
    const appointment = this.appointments.find((one) => one.id === id);
    if (appointment.state === 'done') throw new ConflictException('done already');
    if (!appointment) throw new NotFoundException('no such appointment');
    appointment.state = 'done';
    return { minutes: (minutes ?? 0) + (5 as any) };
  }

  async patientName(id: number): Promise<Letter> {
    const appointment = this.appointments.find((one) => one.id === id);
    if (!appointment) throw new NotFoundException('no such appointment');
    const patient = this.patients.find(appointment.patientId) as unknown as Patient;
    return { to: patient.name, text: `appointment ${id}` };
  }
}
