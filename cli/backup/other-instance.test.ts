/** Backups of two instances, whose operators name the same archive. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listBackups, openStore } from '@greenroom/backup';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const START = ['start', '--services', 'auth,data,storage'];
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

type Project = Awaited<ReturnType<typeof createProjectInstance>>;

let place: string;
let archive: string;
let secret: string[];
let shop: Project;
let club: Project;

/** Backs up an instance; returns the exit code and the errors. */
async function backUp(project: Project, env: Record<string, string> = {}) {
  const { code, errors } = await project.run(['backup', archive, ...secret], { input: '', env });
  return { code, errors };
}

async function storedBackups() {
  const store = await openStore(archive);
  return (await listBackups(store).finally(() => store.close())).backups;
}

describe('an archive that has backups of an instance', () => {
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'greenroom-other-'));
    await chmod(place, 0o711);
    archive = join(place, 'archive');
    await writeFile(join(place, 'passphrase'), 'a long passphrase\n', { mode: 0o600 });
    secret = ['--passphrase-file', join(place, 'passphrase')];
    shop = await createProjectInstance({});
    club = await createProjectInstance({});
    for (const project of [shop, club]) {
      await project.spawn(START).waitFor(/^ready /m);
      await project.stop();
    }
    expect(await backUp(shop)).toEqual({ code: 0, errors: '' });
  });
  afterAll(async () => {
    await shop[Symbol.asyncDispose]();
    await club[Symbol.asyncDispose]();
    await rm(place, { recursive: true });
  });

  it('refuses the backup of another instance, and names one of its backups', async () => {
    const [{ id } = { id: '' }, ...rest] = await storedBackups();
    expect(rest).toEqual([]);
    expect(await backUp(club)).toEqual({
      code: 1,
      errors: `error: folder ${archive} has backups of another instance, e.g. ${id}: choose an empty folder or prefix for this one\n`,
    });
    expect(await storedBackups()).toHaveLength(1);
  });

  it('accepts the instance after a restore and after a reset of its database', async () => {
    const folder = join(place, 'restored');
    const restored = await shop.run(['restore', archive, ...secret, '--into', folder, '--no-start'], {
      input: '',
    });
    expect([restored.code, restored.errors]).toEqual([0, '']);
    expect(await backUp(shop, { GREENROOM_DATA_DIR: folder })).toEqual({ code: 0, errors: '' });
    expect((await shop.run(['db', 'reset'], { input: 'y\n' })).code).toBe(0);
    expect(await backUp(shop)).toEqual({ code: 0, errors: '' });
    const ids = (await storedBackups()).map(({ manifest }) => manifest.instanceId);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });
});
