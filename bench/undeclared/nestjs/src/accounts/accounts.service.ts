import { ConflictException, Injectable, UnauthorizedException } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createHash } from 'node:crypto';

export interface Account {
  email: string;
  hash: string;
  roles: string[];
  bookmarks: Map<string, { note?: string }>;
  company?: { name: string };
}

@Injectable()
export class AccountsService {
  readonly accounts = new Map<string, Account>();

  constructor(private readonly jwt: JwtService) {}

  register(email: string, password: string): void {
    if (this.accounts.has(email)) throw new ConflictException('there is such an account');
    this.accounts.set(email, { email, hash: hashOf(password), roles: ['visitor'], bookmarks: new Map() });
  }

  login(email: string, password: string): string {
    const account = this.accounts.get(email);
    if (account?.hash !== hashOf(password)) throw new UnauthorizedException('wrong address or password');
    return this.jwt.sign({ sub: email, roles: account.roles });
  }
}

function hashOf(password: string): string {
  return createHash('sha256').update(`conference ${password}`).digest('hex');
}
