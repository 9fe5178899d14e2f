/** The package `create-greenroom`, which `npm create greenroom` runs. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pack } from './pack.ts';
import { ROOT } from './root.ts';

/** Writes the tarball of a version into a folder, and returns its path. */
export async function writeStarter({ version, into }: { version: string; into: string }): Promise<string> {
  await mkdir(into, { recursive: true });
  const folder = await mkdtemp(join(into, '.starter-'));
  try {
    const source = join(ROOT, 'create');
    const { private: _, ...manifest } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
    for (const name of manifest.files) await cp(join(source, name), join(folder, name), { recursive: true });
    await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    await writeFile(
      join(folder, 'package.json'),
      `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`,
    );
    return await pack(folder, into);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
