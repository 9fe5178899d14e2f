import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUseError } from '@greenroom/data-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InstanceEntry, openRegistry, stateFolder } from './index.ts';

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'greenroom-registry-')), 'state');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const entryOf = (dataFolder: string, port = 54321): InstanceEntry => ({
  dataFolder,
  pid: process.pid,
  startedAt: '2026-01-01T00:00:00Z',
  isReady: true,
  host: '127.0.0.1',
  port,
});

/** Registers an instance in another process, whose entry has the pid of this one. */
async function registerInAnotherProcess(entry: InstanceEntry) {
  const source = `import { openRegistry } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const registry = await openRegistry(${JSON.stringify(folder)});
    const registration = await registry.register(${JSON.stringify(entry)});
    process.once('SIGTERM', async () => { await registration.remove(); process.exit(); });
    console.log('registered'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ReturnType<typeof spawn>, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

describe('the registry', () => {
  it('lists the instances of this and other processes, with their changes', async () => {
    const registry = await openRegistry(folder);
    const registration = await registry.register({ ...entryOf('/srv/a'), isReady: false });
    const other = await registerInAnotherProcess(entryOf('/srv/b', 54323));
    await registration.update({ isReady: true, databasePort: 54322 });
    const byFolder = (one: InstanceEntry, two: InstanceEntry) => one.dataFolder.localeCompare(two.dataFolder);
    expect((await registry.list()).sort(byFolder)).toEqual([
      { ...entryOf('/srv/a'), databasePort: 54322 },
      entryOf('/srv/b', 54323),
    ]);
    await registration.remove();
    await end(other, 'SIGTERM');
    expect(await registry.list()).toEqual([]);
    expect(await readdir(folder)).toEqual(['registry.lock']);
  });

  it('removes the entry of a process that was killed, although its pid is that of a running process', async () => {
    const other = await registerInAnotherProcess(entryOf('/srv/b'));
    await end(other, 'SIGKILL');
    expect(await readdir(folder)).toHaveLength(3);
    expect(await (await openRegistry(folder)).list()).toEqual([]);
    expect(await readdir(folder)).toEqual(['registry.lock']);
  });

  it('rejects a second process on a data folder, and accepts it once the first has ended', async () => {
    const other = await registerInAnotherProcess(entryOf('/srv/b'));
    const registry = await openRegistry(folder);
    await expect(registry.register(entryOf('/srv/b'))).rejects.toBeInstanceOf(FolderInUseError);
    const waiting = registry.register(entryOf('/srv/b', 5));
    await end(other, 'SIGTERM');
    await (await waiting).remove();
  });

  it('runs exclusive work of concurrent callers one after the other', async () => {
    const registry = await openRegistry(folder);
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
    };
    await Promise.all([registry.exclusively(work('a')), registry.exclusively(work('b'))]);
    const [first, second] = steps[0] === 'a begins' ? ['a', 'b'] : ['b', 'a'];
    expect(steps).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`]);
  });

  it('is readable only by its user, and ignores files that it has not written', async () => {
    const registry = await openRegistry(folder);
    const registration = await registry.register(entryOf('/srv/a'));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.json'));
    await writeFile(join(folder, name), '{');
    expect(await registry.list()).toEqual([]);
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
    await registration.remove();
  });
});

it.each([
  [{ XDG_STATE_HOME: '/state' }, /^\/state\/greenroom$/],
  [{ XDG_STATE_HOME: 'state' }, /^\/.*\/\.local\/state\/greenroom$/],
  [{}, /^\/.*\/\.local\/state\/greenroom$/],
])('the state folder with %j matches %s', (env, path) => {
  expect(stateFolder(env)).toMatch(path);
});
