/** Creates a migration. */
import { text } from 'node:stream/consumers';
import { createMigration, requireName } from '@greenroom/project';
import { isInputPiped } from '../../piped-input.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Creates a file with the content of the standard input, if that is a pipe or a file; returns the lines to print. */
export async function createFile(words: readonly string[], options: ProjectOptions): Promise<string[]> {
  const name = words.join('_');
  // The input is read only if it can be kept.
  requireName(name);
  const folder = options.project ?? process.cwd();
  const content = isInputPiped() ? await text(process.stdin) : '';
  return [`created ${await createMigration({ folder, name, content, now: new Date() })}`];
}
