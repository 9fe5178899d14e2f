import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FolderInUseError,
  openDataFolder,
  readInstanceRecord,
  requireFreeFolder,
  UnusableFolderError,
  writeFileAtomically,
  writeInstanceRecord,
} from './index.ts';

let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'greenroom-folder-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

/** Starts another process that opens the folder and prints a line when it has. */
async function lockInAnotherProcess() {
  const source = `import { openDataFolder } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    await openDataFolder(${JSON.stringify(path)}); console.log('open'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/** Mounts a file system in memory. Returns a function that unmounts it. */
function mountMemory(folder: string, size: string): () => void {
  execFileSync('mkdir', ['-p', folder]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'greenroom-test', folder], { stdio: 'pipe' });
  return () => execFileSync('umount', ['-l', folder]);
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-mount-'));
  try {
    mountMemory(folder, '1m')();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('openDataFolder', () => {
  it('rejects a folder that another process holds, with the pid of that process', async () => {
    const holder = await lockInAnotherProcess();
    const attempt = openDataFolder(path);
    await expect(attempt).rejects.toBeInstanceOf(FolderInUseError);
    await expect(attempt).rejects.toThrow(`in use by the process ${holder.pid}`);
    holder.kill();
    await once(holder, 'exit');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'refuses root in the folder of an instance of another user, and adds nothing',
    async () => {
      await mkdir(join(path, 'postgres'));
      for (const name of ['keys.json', 'lock']) await writeFile(join(path, name), '');
      for (const name of ['keys.json', 'lock', 'postgres']) await chown(join(path, name), 54_321, 54_321);
      const attempt = openDataFolder(path);
      await expect(attempt).rejects.toBeInstanceOf(UnusableFolderError);
      await expect(attempt).rejects.toThrow(`run the command as that user, e.g. by sudo -u '#54321'`);
      expect((await readdir(path)).toSorted()).toEqual(['keys.json', 'lock', 'postgres']);
      expect((await stat(join(path, 'lock'))).uid).toBe(54_321);
      await chown(join(path, 'keys.json'), 0, 0);
      (await openDataFolder(path)).release();
    },
  );

  it('can be opened while a command holds the lock for a moment, also after a crash', async () => {
    const crashed = await lockInAnotherProcess();
    await writeInstanceRecord(path, {
      pid: crashed.pid ?? 0,
      startedAt: '2026-01-01T00:00:00Z',
      ready: true,
    });
    crashed.kill('SIGKILL');
    await once(crashed, 'exit');
    const source = `import { tryLock } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const lock = tryLock(${JSON.stringify(join(path, 'lock'))}); console.log(lock ? 'locked' : 'busy'); setTimeout(() => lock.release(), 100);`;
    const command = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(command, 'exit');
    expect(String(await once(command.stdout, 'data'))).toBe('locked\n');
    (await openDataFolder(path)).release();
    await exit;
  });

  it('can be opened after its holder was killed', async () => {
    const holder = await lockInAnotherProcess();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const folder = await openDataFolder(path);
    folder.release();
  });

  it('can be opened after a release', async () => {
    (await openDataFolder(path)).release();
    (await openDataFolder(path)).release();
  });

  it('makes a folder that it creates inaccessible to other users', async () => {
    const dataFolder = join(path, 'made');
    const folder = await openDataFolder(dataFolder);
    expect((await stat(dataFolder)).mode & 0o066).toBe(0);
    expect((await stat(join(dataFolder, 'lock'))).mode & 0o777).toBe(0o600);
    folder.release();
  });

  it('keeps the permissions of an existing folder', async () => {
    await chmod(path, 0o755);
    const folder = await openDataFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o755);
    folder.release();
  });

  it('keeps the address of the last instance until the new one is ready, and removes its credentials', async () => {
    const last = {
      pid: 1,
      startedAt: '2026-01-01T00:00:00.000Z',
      apiUrl: 'http://127.0.0.1:1',
      databasePort: 2,
    };
    const credentials = {
      databaseUrl: 'postgresql://127.0.0.1',
      jwtSecret: 'secret',
      apiKeys: { anon: 'a', serviceRole: 'b', publishable: 'c', secret: 'd' },
      s3: { accessKeyId: 'e', secretAccessKey: 'f', region: 'g' },
    };
    await writeInstanceRecord(path, { ...last, ready: true, credentials });
    (await openDataFolder(path)).release();
    expect(await readInstanceRecord(path)).toEqual({
      ...last,
      pid: process.pid,
      startedAt: expect.not.stringContaining(last.startedAt),
      ready: false,
    });
  });

  it.each([
    ['ready', true, / at http:\/\/127\.0\.0\.1:1\./],
    ['still starting', false, /by the process \d+\./],
  ])(
    'reports a folder in use with the address of its holder only if that is ready: %s',
    async (_, ready, message) => {
      const folder = await openDataFolder(path);
      await writeInstanceRecord(path, {
        pid: process.pid,
        startedAt: '',
        ready,
        apiUrl: 'http://127.0.0.1:1',
      });
      await expect(openDataFolder(path)).rejects.toThrow(message);
      folder.release();
    },
  );
});

describe('requireUsable', () => {
  it('accepts an open folder', async () => {
    const folder = await openDataFolder(path);
    await folder.requireUsable();
    folder.release();
  });

  it.each([
    ['is missing', (dataFolder: string) => rm(dataFolder, { recursive: true })],
    [
      'has been replaced since the start',
      async (dataFolder: string) => {
        await rename(dataFolder, `${dataFolder}-old`);
        (await openDataFolder(dataFolder)).release();
      },
    ],
  ])('rejects a folder that %s', async (reason, change) => {
    const dataFolder = join(path, 'made');
    const folder = await openDataFolder(dataFolder);
    await change(dataFolder);
    await expect(folder.requireUsable()).rejects.toThrow(`the data folder ${dataFolder} ${reason}`);
    await expect(folder.requireUsable()).rejects.toBeInstanceOf(UnusableFolderError);
    folder.release();
  });

  // Only root may mount a separate file system, and only outside of most containers.
  it.skipIf(!canMount())('rejects a folder whose disk is full or read-only', async () => {
    const dataFolder = join(path, 'small');
    const unmount = mountMemory(dataFolder, '40m');
    try {
      const folder = await openDataFolder(dataFolder);
      await folder.requireUsable();
      await writeFile(join(dataFolder, 'filling'), Buffer.alloc(20 * 1024 * 1024));
      await expect(folder.requireUsable()).rejects.toThrow('bytes of free disk');
      await rm(join(dataFolder, 'filling'));
      await folder.requireUsable();
      // Uses a bind mount, because the file system itself has the lock open for writing.
      execFileSync('mount', ['--bind', dataFolder, dataFolder]);
      execFileSync('mount', ['-o', 'remount,bind,ro', dataFolder]);
      await expect(folder.requireUsable()).rejects.toThrow('cannot be written');
      execFileSync('umount', [dataFolder]);
      folder.release();
    } finally {
      unmount();
    }
  });
});

describe('requireFreeFolder', () => {
  it('rejects a folder that another process holds, with the pid of that process', async () => {
    const holder = await lockInAnotherProcess();
    await expect(requireFreeFolder(path)).rejects.toThrow(`in use by the process ${holder.pid}`);
    holder.kill();
    await once(holder, 'exit');
    await requireFreeFolder(path);
  });

  it('does not create the folder', async () => {
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
