import { All, BadRequestException, Body, Controller, FileTypeValidator, Get, MaxFileSizeValidator, Param, ParseFilePipe, Post, Req, UploadedFile, UploadedFiles, UseInterceptors } from '@nestjs/common';
import { FileInterceptor, FilesInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';

const THEMES = { dark: { colour: '#000' }, light: { colour: '#fff' } };

@Controller('materials')
export class MaterialsController {
  @Post('slides')
  @UseInterceptors(FileInterceptor('slides'))
  slides(
    @UploadedFile(
      new ParseFilePipe({
        validators: [
          new MaxFileSizeValidator({ maxSize: 50_000 }),
          new FileTypeValidator({ fileType: 'text/markdown', skipMagicNumbersValidation: true }),
        ],
      }),
    )
    file: Express.Multer.File,
    @Body('speaker') speaker?: string,
  ) {
    const headings = file.buffer.toString().split('\n').filter((line) => line.startsWith('# '));
    return { speaker, bytes: file.size, title: headings[0].slice(2) };
  }

  @Post('pictures')
  @UseInterceptors(FilesInterceptor('pictures', 5))
  pictures(@UploadedFiles() files: Express.Multer.File[], @Body() body: Record<string, string>) {
    if (!files?.length) throw new BadRequestException('pictures are missing');
    if (files.length < 2) return { pictures: 1 };
    return { pictures: files.length, album: body.album.trim() };
  }

  @Get('theme')
  theme(@Req() request: Request) {
    const name = request.cookies.theme;
    if (!name) return { colour: '#ccc' };
    return { colour: THEMES[name].colour };
  }

  /** The video service calls back, with POST or PUT. */
  @All('callbacks/*path')
  callback(@Param('path') path: string | string[], @Body() body: any) {
    if (body?.status !== 'encoded') return { ignored: true };
    const [first] = body.renditions;
    setTimeout(() => publish(first.url), 5);
    return { path, accepted: true };
  }
}

function publish(url: string) {
  return url.replace('http:', 'https:');
}
