/** Hooks of the loader of ES modules that instrument a library's files. */

import { fileURLToPath } from 'node:url';

import { instrumented, isOwn } from './replay-instrumenter.cjs';

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (loaded.format !== 'module' || !url.startsWith('file:')) return loaded;
  const file = fileURLToPath(url);
  return isOwn(file) ? { ...loaded, source: instrumented(Buffer.from(loaded.source).toString(), file, true) } : loaded;
}
