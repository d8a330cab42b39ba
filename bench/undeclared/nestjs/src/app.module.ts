import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AccountsController } from './accounts/accounts.controller';
import { AccountsService } from './accounts/accounts.service';
import { OrganisersController } from './accounts/organisers.controller';
import { MaterialsController } from './materials/materials.controller';
import { SpeakersController } from './speakers/speakers.controller';
import { TalksController, TalksV2Controller } from './talks/talks.controller';
import { TalksService } from './talks/talks.service';
import { TicketsController } from './tickets/tickets.controller';

@Module({
  imports: [
    JwtModule.register({ secret: process.env.JWT_SECRET ?? 'conference-development-only', signOptions: { expiresIn: '1d' } }),
  ],
  controllers: [
    TalksController,
    TalksV2Controller,
    SpeakersController,
    TicketsController,
    AccountsController,
    OrganisersController,
    MaterialsController,
  ],
  providers: [TalksService, AccountsService],
})
export class AppModule {}
