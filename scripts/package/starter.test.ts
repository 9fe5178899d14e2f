import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from './root.ts';
import { writeStarter } from './starter.ts';

const run = promisify(execFile);
const VERSION = '9.8.7';

it('the package create-greenroom creates a product from its tarball, with all files of the template', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-starter-'));
  try {
    const tarball = await writeStarter({ version: VERSION, into: folder });
    expect(basename(tarball)).toBe(`create-greenroom-${VERSION}.tgz`);
    await run('tar', ['-xzf', tarball], { cwd: folder });
    await run(process.execPath, ['package/bin.mjs', 'shop', '--template', 'backend-only'], { cwd: folder });
    const { dependencies } = JSON.parse(await readFile(join(folder, 'shop/package.json'), 'utf8'));
    expect(dependencies.greenroom).toBe(`^${VERSION}`);
    const templates = join(ROOT, 'create/templates');
    const sources = [
      ...(await filesOf(join(templates, 'shared'))),
      ...(await filesOf(join(templates, 'backend-only'))),
    ];
    const expected = sources.map((path) => (path === '_gitignore' ? '.gitignore' : path));
    expect((await filesOf(join(folder, 'shop'))).toSorted()).toEqual(expected.toSorted());
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}
