'use strict';
/** A NestJS application as `nest build` makes it: tsc with decorators and their metadata. */

const assert = require('node:assert');
const { rmSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');
const { test } = require('node:test');
const { FakeCore } = require('./support/fake-core.cjs');
const { TOOLS, build, placesOf, tool } = require('./support/toolchain.cjs');

const FILES = {
  'src/main.ts': `import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, '127.0.0.1');
}
bootstrap();
`,
  'src/app.module.ts': `import { Module } from '@nestjs/common';
import { CatsController } from './cats.controller';
import { CatsService } from './cats.service';

@Module({ controllers: [CatsController], providers: [CatsService] })
export class AppModule {}
`,
  'src/cats.service.ts': `import { Injectable } from '@nestjs/common';

@Injectable()
export class CatsService {
  private readonly names = ['tom'];

  async find(id: number): Promise<string> {
    if (id > 7) {
      throw new RangeError('no such cat');
    }
    return this.names[id] ?? 'none';
  }
}
`,
  'src/cats.controller.ts': `import { Body, Controller, FileTypeValidator, Get, Headers, Param, ParseFilePipe, Post, Query, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { CatsService } from './cats.service';

@Controller('cats')
export class CatsController {
  constructor(private readonly cats: CatsService) {}

  @Get(':id')
  async one(@Param('id') id: string): Promise<string> {
    return this.cats.find(Number(id));
  }

  @Get()
  all(@Query('colour') colour: string, @Query('age') age: string, @Headers('X-Tenant') tenant: string): unknown {
    return { colour, age, tenant };
  }

  @Post()
  make(@Body('name') name: string, @Body() whole: unknown): unknown {
    return { name, whole };
  }

  @Post('photo')
  @UseInterceptors(FileInterceptor('photo'))
  photo(@UploadedFile(new ParseFilePipe({ validators: [new FileTypeValidator({ fileType: 'image/webp' })] })) file: any): unknown {
    return { bytes: file.size };
  }
}
`,
  'tsconfig.json':
    '{"compilerOptions":{"target":"es2017","module":"commonjs","moduleResolution":"node","outDir":"dist","rootDir":"src","sourceMap":true,"experimentalDecorators":true,"emitDecoratorMetadata":true,"skipLibCheck":true,"types":[]}}',
};

const FORM = 'multipart/form-data; boundary=xkqzt';
const PHOTO =
  '--xkqzt\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\na\r\n--xkqzt--\r\n';

test("an application of NestJS is reported in its sources, and decorators are nobody's to cover", async () => {
  const core = await FakeCore.start(FILES);
  try {
    rmSync(join(core.folder, 'node_modules'));
    symlinkSync(join(TOOLS, 'node_modules'), join(core.folder, 'node_modules'));
    build(core, [tool('typescript/bin/tsc'), '-p', '.', '--noEmitOnError', 'false', '--noCheck']);
    core.run(['dist/main.js']);
    await core.listening();
    const { answers, result, h } = await core.evaluate(1, ['GET /cats/0', 'GET /cats/9']);
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 500],
    );
    const [cause] = result.causes;
    assert.deepStrictEqual(
      [cause.call, cause.file, cause.line, cause.message],
      [1, join(core.folder, 'src/cats.service.ts'), 9, 'RangeError: no such cat'],
    );
    assert.match(cause.stack, /src\/cats\.controller\.ts:11:\d+/);
    assert.strictEqual(h['src/cats.service.ts:8 branch > true'], 1);
    assert.deepStrictEqual(
      placesOf(core, 'branch').filter((place) => !place.startsWith('src/cats.service.ts')),
      [],
    );
    assert.deepStrictEqual(
      placesOf(core, 'file'),
      ['app.module', 'cats.controller', 'cats.service', 'main'].map((name) => `src/${name}.ts:0`),
    );
    const read = await core.evaluate(2, ['GET /cats?age=3', 'POST /cats']);
    assert.deepStrictEqual(
      read.answers.map(({ status }) => status),
      [200, 201],
    );
    assert.deepStrictEqual(
      read.result.hints
        .filter(({ kind }) => kind === 'input')
        .map(({ call, location, path, held }) => [call, location, path[0], held]),
      [
        [0, 'header', 'X-Tenant', {}],
        [0, 'query', 'colour', {}], // Express has a getter of the query
        [1, 'body', 'name', {}],
      ],
    );
    const { result: uploads } = await core.evaluate(3, ['POST /cats/photo', ['POST /cats/photo', PHOTO, FORM]]);
    assert.deepStrictEqual(
      uploads.hints.map(({ kind, call, location, path, text, source }) => [
        kind,
        call,
        location ?? text,
        path ?? source,
      ]),
      [
        ['input', 0, 'file', ['photo']],
        ['pattern', 1, 'image/png', 'image/webp'],
      ],
    );
    const lines = placesOf(core, 'line');
    assert.ok(lines.includes('src/cats.controller.ts:11') && lines.includes('src/main.ts:9'), lines.join());
  } finally {
    await core.stop();
  }
});
