import { Body, Controller, Delete, Get, HttpCode, NotFoundException, Param, Post, Put, Req, Res, UseGuards } from '@nestjs/common';
import { IsEmail, IsOptional, IsString, IsStrongPassword, MaxLength } from 'class-validator';
import type { Response } from 'express';
import { AccountsService } from './accounts.service';
import { JwtGuard } from './guards';

class RegisterDto {
  @IsEmail()
  email: string;

  @IsStrongPassword({ minLength: 8, minSymbols: 0 })
  password: string;
}

class LoginDto {
  @IsString()
  email: string;

  @IsString()
  password: string;
}

class BookmarkDto {
  @IsOptional()
  @IsString()
  @MaxLength(80)
  note?: string;
}

@Controller('accounts')
export class AccountsController {
  constructor(private readonly service: AccountsService) {}

  @Post()
  register(@Body() { email, password }: RegisterDto) {
    this.service.register(email, password);
    return { email };
  }

  @Post('login')
  @HttpCode(200)
  login(@Body() { email, password }: LoginDto, @Res({ passthrough: true }) response: Response) {
    const token = this.service.login(email, password);
    response.cookie('access_token', token, { httpOnly: true });
    return { expiresIn: 86_400 };
  }

  @Get('me')
  @UseGuards(JwtGuard)
  me(@Req() request: any) {
    return { email: request.user.sub, roles: request.user.roles };
  }

  @Get('me/badge')
  @UseGuards(JwtGuard)
  badge(@Req() request: any) {
    const account = this.service.accounts.get(request.user.sub);
    if (!account) throw new NotFoundException();
    const line = request.query.format === 'long' ? `${account.email}, ${account.company.name}` : account.email;
    return { line };
  }

  @Put('me/bookmarks/:talk')
  @UseGuards(JwtGuard)
  bookmark(@Req() request: any, @Param('talk') talk: string, @Body() bookmark: BookmarkDto) {
    const account = this.service.accounts.get(request.user.sub);
    if (!account) throw new NotFoundException();
    account.bookmarks.set(talk, bookmark);
    return { bookmarks: account.bookmarks.size };
  }

  @Delete('me/bookmarks/:talk')
  @UseGuards(JwtGuard)
  removeBookmark(@Req() request: any, @Param('talk') talk: string) {
    const bookmark = this.service.accounts.get(request.user.sub)?.bookmarks.get(talk);
    if (!bookmark) throw new NotFoundException();
    return { removed: bookmark.note.toUpperCase() };
  }
}
