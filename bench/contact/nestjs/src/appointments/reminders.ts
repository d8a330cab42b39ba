import { Injectable } from '@nestjs/common';
import { Patient } from '../patients/patient.dto';

@Injectable()
export class Reminders {
  private readonly planned: string[] = [];

  /** Reminds a patient by the insurance's messenger. */
  async plan(patient: Patient, day: string): Promise<void> {
    await Promise.resolve();
    const channel = patient.insurance.number.split('-')[0];
    this.planned.push(`${channel}: ${day}`);
    if (this.planned.length > 100) this.planned.shift();
  }
}
