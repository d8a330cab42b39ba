import { CanActivate, ExecutionContext, ForbiddenException, Injectable, SetMetadata, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';

export const Roles = (...roles: string[]) => SetMetadata('roles', roles);

@Injectable()
export class JwtGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? request.cookies.access_token;
    if (!token) throw new UnauthorizedException('log in first');
    try {
      request.user = this.jwt.verify(token);
    } catch {
      throw new UnauthorizedException('this token is not valid');
    }
    return true;
  }
}

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const wanted = this.reflector.getAllAndOverride<string[]>('roles', [context.getHandler(), context.getClass()]);
    if (!wanted) return true;
    const { user } = context.switchToHttp().getRequest();
    if (!wanted.some((role) => user.roles.includes(role))) throw new ForbiddenException();
    return true;
  }
}
