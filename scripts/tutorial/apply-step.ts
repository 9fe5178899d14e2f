/** Does the steps of the tutorial that concern files. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TutorialStep } from './read-tutorial.ts';

/** Writes or changes the file of a step in the folder of the product; does nothing for other steps. */
export async function applyFileStep(product: string, step: TutorialStep): Promise<void> {
  if (step.kind !== 'file' && step.kind !== 'change') return;
  const file = join(product, step.path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, step.kind === 'file' ? step.content : await changedFile(file, step));
}

/** Removes the files of a command `rm a b`; does nothing for other steps. */
export async function applyRemoval(product: string, step: TutorialStep): Promise<void> {
  if (step.kind !== 'command' || !step.text.startsWith('rm ')) return;
  for (const path of step.text.split(' ').slice(1)) await rm(join(product, path));
}

async function changedFile(
  file: string,
  { path, before, after }: Extract<TutorialStep, { kind: 'change' }>,
): Promise<string> {
  const parts = (await readFile(file, 'utf8')).split(before);
  if (parts.length === 2) return parts.join(after);
  throw new Error(`${path} contains these lines ${parts.length - 1} times, not once:\n${before}`);
}
