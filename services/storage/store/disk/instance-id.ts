/** Reads and writes the file with the id of the instance, at the root of the content folder. */
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '@greenroom/data-folder';
import { codeOf } from './disk-error.ts';
import type { Paths } from './paths.ts';

/** Reads the id; undefined if the file does not exist. */
export async function readInstanceId({ instanceId }: Paths): Promise<string | undefined> {
  try {
    return (await readFile(instanceId, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the id atomically. */
export function writeInstanceId({ instanceId }: Paths, id: string): Promise<void> {
  return writeFileAtomically(instanceId, `${id}\n`);
}
