import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUseError, openDataFolder, writeFileAtomically } from './index.ts';

let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'greenroom-folder-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

/** Another process that opens the folder and says so. */
async function holdInAnotherProcess() {
  const source = `import { openDataFolder } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    await openDataFolder(${JSON.stringify(path)}); console.log('open'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('openDataFolder', () => {
  it('refuses a folder that another process holds, naming its pid', async () => {
    const holder = await holdInAnotherProcess();
    const attempt = openDataFolder(path);
    await expect(attempt).rejects.toBeInstanceOf(FolderInUseError);
    await expect(attempt).rejects.toThrow(`in use by the process ${holder.pid}`);
    holder.kill();
    await once(holder, 'exit');
  });

  it('is free again after its holder was killed', async () => {
    const holder = await holdInAnotherProcess();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const folder = await openDataFolder(path);
    folder.release();
  });

  it('is free again after a release', async () => {
    (await openDataFolder(path)).release();
    (await openDataFolder(path)).release();
  });

  it('closes the folder to others', async () => {
    const folder = await openDataFolder(path);
    expect((await stat(path)).mode & 0o066).toBe(0);
    expect((await stat(join(path, 'lock'))).mode & 0o777).toBe(0o600);
    folder.release();
  });
});

describe('writeFileAtomically', () => {
  it('replaces the content and sets the permissions', async () => {
    const file = join(path, 'secret');
    await writeFileAtomically(file, 'old', 0o644);
    await writeFileAtomically(file, 'new', 0o600);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
