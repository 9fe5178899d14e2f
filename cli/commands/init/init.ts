/** Makes a folder a project. */
import { createProject } from '@greenroom/project';
import { printLines } from '../../print-lines.ts';

/** Prints the files that were created. */
export async function initialise(options: { folder: string; isForced: boolean }): Promise<number> {
  const written = await createProject(options);
  printLines([...written.map((path) => `wrote ${path}`), 'Start the project: greenroom start']);
  return 0;
}
