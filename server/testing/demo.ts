/** The demo project, for tests of its tables, buckets and policies. */
import { fileURLToPath } from 'node:url';
import { findProject, type ProjectToRun, setUpProject } from '@greenroom/project';

/** Returns the demo project. */
export async function demoProject(): Promise<ProjectToRun> {
  const project = await findProject(fileURLToPath(new URL('../../demo/', import.meta.url)));
  if (project === undefined) throw new Error('the repository has no demo project');
  return { project, name: 'demo' };
}

/** Applies the migrations and seeds of the demo to the database of an owner. Returns the lines for the user. */
export async function setUpDemo(url: string): Promise<string[]> {
  const lines: string[] = [];
  await setUpProject({ ...(await demoProject()), url, onProgress: (line) => lines.push(line) });
  return lines;
}
