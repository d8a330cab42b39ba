import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';

export interface Doctor {
  id: number;
  name: string;
  speciality?: string;
  days: string[];
}

@Injectable()
export class DoctorsService {
  private readonly doctors: Doctor[] = [
    { id: 1, name: 'Dr. Imre Vass', speciality: 'Cardiology', days: ['mon', 'tue', 'thu'] },
    { id: 2, name: 'Dr. Lou Pham', days: ['wed', 'fri'] },
  ];

  find(id: number): Doctor {
    const doctor = this.doctors.find((one) => one.id === id);
    if (!doctor) throw new NotFoundException('no such doctor');
    return doctor;
  }

  search(text: string, speciality?: string): Doctor[] {
    if (typeof text !== 'string' || text === '') throw new BadRequestException('name is missing');
    const pattern = new RegExp(`^Dr\\. ${text}`, 'i');
    return this.doctors
      .filter((doctor) => pattern.test(doctor.name))
      .filter((doctor) => !speciality || doctor.speciality.startsWith(speciality));
  }

  worksOn(doctor: Doctor, day: string): boolean {
    const weekday = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'][new Date(day).getUTCDay() - 1];
    return doctor.days.some((one) => one.localeCompare(weekday.slice(0, 3)) === 0);
  }
}
