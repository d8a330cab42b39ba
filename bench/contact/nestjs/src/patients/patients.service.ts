import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { Age, Card, NewPatient, Patient } from './patient.dto';

const SIGNS = ['Capricorn', 'Aquarius', 'Pisces', 'Aries', 'Taurus', 'Gemini', 'Cancer', 'Leo', 'Virgo', 'Libra', 'Scorpio', 'Sagittarius'];

@Injectable()
export class PatientsService {
  private readonly patients = new Map<number, Patient>([
    [1, { id: 1, name: 'Nina Falk', email: 'nina@example.com', bornOn: '1984-05-30', insurance: { company: 'Aurora', number: 'A-1' } }],
    [2, { id: 2, name: 'Omar Diaz', email: 'omar@example.com', bornOn: '1999-12-01' }],
  ]);
  private nextId = 3;

  list(page = 1): Patient[] {
    const all = [...this.patients.values()];
    const pages = Array.from({ length: Math.ceil(all.length / 10) }, (_, index) => all.slice(index * 10, index * 10 + 10));
    return pages[page - 1].map((patient) => ({ ...patient }));
  }

  async find(id: number): Promise<Patient> {
    const patient = this.patients.get(id);
    if (!patient) throw new NotFoundException('no such patient');
    return patient;
  }

  add(input: NewPatient): Patient {
    if ([...this.patients.values()].some((other) => other.email === input.email)) throw new ConflictException('known already');
    const patient = { id: this.nextId++, ...input };
    this.patients.set(patient.id, patient);
    return patient;
  }

  async card(id: number): Promise<Card> {
    const patient = await this.find(id);
    return { name: patient.name, insuredWith: patient.insurance.company.toUpperCase() };
  }

  /** How old somebody is, and their sign of the zodiac by the month. */
  async age(id: number): Promise<Age> {
    const { bornOn } = await this.find(id);
    const [year, month] = bornOn.split('-').map(Number);
    return { years: 2024 - year, sign: SIGNS[month].toLowerCase() };
  }

  remove(id: number): void {
    if (!this.patients.delete(id)) throw new NotFoundException('no such patient');
  }
}
