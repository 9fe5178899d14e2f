/** The demo, for tests of its tables, buckets, policies and hooks. */
import { fileURLToPath } from 'node:url';
import { loadSiteBuild } from '@greenroom/app';
import { productBuild } from '@greenroom/app/build';
import { ensureBuild } from '@greenroom/builds';
import { readProduct } from '@greenroom/product';
import { findProject, type ProjectToRun, setUpProject } from '@greenroom/project';

const FOLDER = fileURLToPath(new URL('../../demo/', import.meta.url));

/** Returns the project of the demo. */
export async function demoProject(): Promise<ProjectToRun> {
  const project = await findProject(FOLDER);
  if (project === undefined) throw new Error('the repository has no demo project');
  return { project, name: 'demo' };
}

/** Returns the tasks of the demo, from its build. */
export async function demoTasks() {
  const product = await readProduct(FOLDER);
  if (product === undefined) throw new Error('the demo is no product');
  await ensureBuild(productBuild(product), () => {});
  const { entry } = await loadSiteBuild(product);
  return entry.module.hooks.tasks ?? [];
}

/** Applies the migrations and seeds of the demo to the database of an owner. Returns the lines for the user. */
export async function setUpDemo(url: string): Promise<string[]> {
  const lines: string[] = [];
  await setUpProject({ ...(await demoProject()), url, onProgress: (line) => lines.push(line) });
  return lines;
}
