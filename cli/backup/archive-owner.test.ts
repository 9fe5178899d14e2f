/** Commands of root on the archive of an instance that runs as another user. */
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

/** The id of a user that needs no name. */
const OWNER = 54_321;
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let place: string;
let archive: string;
let secret: string[];
let project: Awaited<ReturnType<typeof createProjectInstance>>;

/** Runs a command as root, and requires that all entries of the archive belong to its owner afterwards. */
async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const { code, output, errors } = await project.run(args, { input: '' });
  const names = await readdir(archive, { recursive: true });
  const owners = await Promise.all(
    ['.', ...names].map(async (name) => (await stat(join(archive, name))).uid),
  );
  expect([...new Set(owners)], `${args.join(' ')}\n${output}${errors}`).toEqual([OWNER]);
  return { code, output };
}

describe.skipIf(process.getuid?.() !== 0)('on an archive of another user (needs root)', () => {
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'greenroom-owner-'));
    await chmod(place, 0o711);
    archive = join(place, 'archive');
    await mkdir(archive);
    await chown(archive, OWNER, OWNER);
    await writeFile(join(place, 'passphrase'), 'a long passphrase\n', { mode: 0o600 });
    secret = ['--passphrase-file', join(place, 'passphrase')];
    project = await createProjectInstance({});
    await project.start();
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await rm(place, { recursive: true });
  });

  it('backup, backup verify, check --repair and prune of root give the entries that they add to that user', async () => {
    expect((await run('backup', archive, ...secret)).code).toBe(0);
    expect((await run('backup', 'verify', archive, ...secret)).code).toBe(0);
    const [folder = ''] = await readdir(join(archive, 'chunks'));
    const [chunk = ''] = await readdir(join(archive, 'chunks', folder));
    await unlink(join(archive, 'chunks', folder, chunk));
    await writeFile(join(archive, 'chunks', folder, chunk), 'damaged', { mode: 0o600 });
    await chown(join(archive, 'chunks', folder, chunk), OWNER, OWNER);
    const repair = await run('backup', 'check', archive, '--repair', ...secret);
    expect([repair.code, repair.output]).toEqual([1, expect.stringContaining('removed 1 damaged chunk')]);
    expect((await run('backup', archive, ...secret)).code).toBe(0);
    expect((await run('backup', 'prune', archive)).code).toBe(0);
  });
});
