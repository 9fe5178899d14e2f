import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FolderInUseError,
  openDataFolder,
  readInstanceRecord,
  requireFreeFolder,
  writeFileAtomically,
  writeInstanceRecord,
} from './index.ts';

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

  it('closes the folder that it makes to others', async () => {
    const made = join(path, 'made');
    const folder = await openDataFolder(made);
    expect((await stat(made)).mode & 0o066).toBe(0);
    expect((await stat(join(made, 'lock'))).mode & 0o777).toBe(0o600);
    folder.release();
  });

  it('leaves the permissions of a folder alone that it did not make', async () => {
    await chmod(path, 0o755);
    const folder = await openDataFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o755);
    folder.release();
  });

  it('keeps where the last instance was reached, until the new one is', async () => {
    const last = {
      pid: 1,
      startedAt: '2026-01-01T00:00:00.000Z',
      apiUrl: 'http://127.0.0.1:1',
      databasePort: 2,
    };
    await writeInstanceRecord(path, { ...last, ready: true });
    (await openDataFolder(path)).release();
    expect(await readInstanceRecord(path)).toMatchObject({
      pid: process.pid,
      ready: false,
      apiUrl: last.apiUrl,
      databasePort: last.databasePort,
    });
  });

  it.each([
    ['ready', true, / at http:\/\/127\.0\.0\.1:1\./],
    ['only starting', false, /by the process \d+\./],
  ])('names the address of a holder that is %s, or does not', async (_, ready, message) => {
    const folder = await openDataFolder(path);
    await writeInstanceRecord(path, { pid: process.pid, startedAt: '', ready, apiUrl: 'http://127.0.0.1:1' });
    await expect(openDataFolder(path)).rejects.toThrow(message);
    folder.release();
  });
});

describe('requireFreeFolder', () => {
  it('refuses a folder that another process holds, naming its pid', async () => {
    const holder = await holdInAnotherProcess();
    await expect(requireFreeFolder(path)).rejects.toThrow(`in use by the process ${holder.pid}`);
    holder.kill();
    await once(holder, 'exit');
    await requireFreeFolder(path);
  });

  it('makes nothing', async () => {
    await requireFreeFolder(path);
    await requireFreeFolder(join(path, 'missing'));
    expect(await readdir(path)).toEqual([]);
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
