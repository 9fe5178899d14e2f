/** The id of the instance that a folder of content belongs to: a small file at its root. */
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '@greenroom/data-folder';
import { codeOf } from './disk-error.ts';
import type { Paths } from './paths.ts';

/** The id as it is written there, or undefined where there is no such file. */
export async function readInstanceId({ instanceId }: Paths): Promise<string | undefined> {
  try {
    return (await readFile(instanceId, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the id; a crash leaves the file as it was, or the new one. */
export function writeInstanceId({ instanceId }: Paths, id: string): Promise<void> {
  return writeFileAtomically(instanceId, `${id}\n`);
}
