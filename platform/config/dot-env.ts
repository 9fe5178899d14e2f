import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import type { ConfigSource } from './config-source.ts';

/** Returns the variables of a `.env` file; none if the file does not exist. */
export async function loadDotEnv(path: string): Promise<ConfigSource> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return parseEnv(text) as ConfigSource;
}
