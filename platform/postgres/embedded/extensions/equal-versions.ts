/** Versions of an extension that have the same objects, because the update from one to the other changes nothing. */
import { readFileSync } from 'node:fs';
import type { ExtensionFile } from './find-files.ts';

/** `vector--0.8.0--0.8.1.sql`. Versions without a number, such as PostGIS' `ANY`, stand for several. */
const UPDATE_SCRIPT = /^(.+?)--(\d.*?)--(\d.*)\.sql$/;
/** Scripts with statements are longer, or are read in vain. */
const MAX_EMPTY_BYTES = 1024;

/**
 * Returns the names of empty scripts for the way back of each update without statements. With them, PostgreSQL can create
 * earlier versions that migrations name, although their own scripts are missing: packages contain only that of the newest
 * version.
 */
export function reverseUpdates(files: readonly ExtensionFile[]): string[] {
  const names = new Set(files.map(({ name }) => name));
  return files
    .flatMap(({ kind, name, path, size }) => {
      const [, extension, from, to] = UPDATE_SCRIPT.exec(name) ?? [];
      const isShort = kind === 'script' && size <= MAX_EMPTY_BYTES;
      if (extension === undefined || !isShort || !isEmpty(readFileSync(path, 'utf8'))) return [];
      return [`${extension}--${to}--${from}.sql`];
    })
    .filter((name) => !names.has(name));
}

/** Whether a script contains only comments and the `\echo` that refuses to run it in psql. */
function isEmpty(script: string): boolean {
  return script.split('\n').every((line) => /^\s*(--.*|\\echo .*)?$/.test(line));
}
