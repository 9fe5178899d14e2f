/** The continuous backup of an instance whose archive cannot be opened, vanishes or comes back too late. */
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveStore, checkArchive, openOrCreateArchive, openStore } from '@greenroom/backup';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type BackedUpInstance,
  createBackedUpInstance,
  LONG,
  PASSPHRASE,
  requireComplete,
  restoredState,
  shippedTexts,
  storedIn,
} from './testing/backed-up-instance.ts';

let place: string;
let folder: string;
let store: ArchiveStore;
let instance: BackedUpInstance;
let env: Record<string, string>;
const notes: string[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-lost-'));
  await chmod(place, 0o711);
  folder = join(place, 'archive');
  await writeFile(join(place, 'passphrase'), PASSPHRASE, { mode: 0o600 });
  await writeFile(join(place, 'other'), 'another passphrase', { mode: 0o600 });
  env = {
    GREENROOM_BACKUP_URL: folder,
    GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, 'passphrase'),
    GREENROOM_BACKUP_LAG_SECONDS: '1',
  };
  store = await openStore(folder);
  // The log of an archive that is away is kept up to this size. A backup writes some segments of 16 MB itself.
  instance = await createBackedUpInstance('[db.settings]\nmax_slot_wal_keep_size = "64MB"\n');
  await instance.start(env);
  await instance.waitUntilVerified();
});
afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

async function write(note: string): Promise<void> {
  notes.push(note);
  await instance.insert(note);
}

const backupCount = async () => (await storedIn(store)).backups.length;

describe('an archive that vanishes', { tags: ['trial'] }, () => {
  it('without archive.json is reported, and its log continues without a gap when the file is back', async () => {
    const before = await backupCount();
    await rename(join(folder, 'archive.json'), join(place, 'archive.json'));
    await instance.waitForLog('archive.json is missing in folder');
    expect(instance.project.printed()).toContain('the instance is not being backed up');
    await write('without archive.json');
    expect(await instance.metric('archive_up')).toBe(0);
    await rename(join(place, 'archive.json'), join(folder, 'archive.json'));
    await instance.waitUntilStored(store);
    await requireComplete(store);
    expect(await backupCount()).toBe(before);
    await vi.waitFor(async () => expect((await instance.health()).state).toBe('ok'), LONG);
  });

  it('as a whole is replaced by a new one with a full backup at once', async () => {
    const { archive: former } = await storedIn(store);
    await rename(folder, join(place, 'former'));
    await write('without an archive');
    await vi.waitFor(async () => expect(await backupCount()).toBe(1), LONG);
    await write('into the new archive');
    await instance.waitUntilStored(store);
    const { archive, manifest, lineage } = await storedIn(store);
    expect(archive.description.id).not.toBe(former.description.id);
    // Log that was stored before the loss was noticed has the former key; no backup needs it, and later tests expect no damage.
    for (const { name, backups, times } of (await checkArchive(store, archive)).damages) {
      expect({ backups, times }).toEqual({ backups: [], times: [] });
      await store.remove([name]);
    }
    expect(manifest.systemId).toBe(lineage.systemId);
  });
});

it('an archive that was away for too long gets a full backup at once, and the gap is reported', {
  tags: ['trial'],
}, async () => {
  const before = await backupCount();
  const gapsBefore = (await instance.metric('log_gaps')) ?? 0;
  await rename(folder, join(place, 'away'));
  // A folder in its place would be a new archive.
  await writeFile(folder, '');
  await instance.upload('held.txt', 'held');
  await instance.remove('held.txt');
  const status = async () => {
    const [row] = await instance.administer(
      `select wal_status from pg_replication_slots where slot_name = 'greenroom_backup'`,
    );
    return row?.wal_status;
  };
  for (let round = 0; round < 30 && (await status()) !== 'lost'; round++) {
    await instance.administer(`select pg_logical_emit_message(false, 'test', repeat('x', 6000000))`);
    await instance.administer('select pg_switch_wal()');
    await instance.administer('checkpoint');
  }
  expect(await status()).toBe('lost');
  await write('while the archive is away');
  await vi.waitFor(async () => expect(await instance.metric('archive_up')).toBe(0), LONG);
  expect(await instance.metric('held_objects')).toBe(1);
  await rm(folder);
  await rename(join(place, 'away'), folder);
  await instance.waitForLog('the server has removed log before it was backed up');
  await vi.waitFor(async () => expect(await backupCount()).toBe(before + 1), LONG);
  expect(await instance.metric('log_gaps')).toBe(gapsBefore + 1);
  await vi.waitFor(async () => expect(await shippedTexts(store)).toContain('held.txt: held'), LONG);
  expect(await instance.metric('held_objects')).toBe(0);
  await write('after the gap');
  await instance.waitUntilStored(store);
  // No second of the gap can be restored; that is recorded, so it is no damage.
  await requireComplete(store);
});

describe('an instance that starts with', { tags: ['trial'] }, () => {
  it.each([
    ['a wrong passphrase', 'other', 0o600, 'the passphrase does not fit this archive'],
    ['a passphrase that other users can read', 'passphrase', 0o644, 'other users can read'],
    ['a passphrase file that does not exist', 'nothing', undefined, 'cannot be read'],
  ])('%s serves, and reports that it is not backed up', async (_, file, mode, message) => {
    await instance.stop();
    if (mode !== undefined) await chmod(join(place, file), mode);
    await instance.start({ ...env, GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, file) });
    await instance.waitForLog(message);
    expect(instance.project.printed()).toContain('the instance is not being backed up');
    await write(`with ${file} ${mode}`);
    expect(await instance.metric('archive_up')).toBe(0);
    await chmod(join(place, 'passphrase'), 0o600);
  });

  it('no secret does not write to an archive that is not encrypted, and reports that', async () => {
    const clear = join(place, 'clear');
    await openOrCreateArchive(await openStore(clear), {
      secrets: { noEncryption: true },
      greenroomVersion: '1',
    });
    await instance.stop();
    await instance.start({ GREENROOM_BACKUP_URL: clear });
    await instance.waitForLog(`the archive in folder ${clear} is not encrypted`);
    await write('without a secret');
    expect(await readdir(clear)).toEqual(['archive.json']);
  });

  it('the right passphrase again continues without a gap and without another backup', async () => {
    const before = await backupCount();
    await instance.stop();
    await instance.start(env);
    await instance.waitUntilStored(store);
    expect(await backupCount()).toBe(before);
    expect(instance.project.printed()).not.toContain('the server has removed log');
    const restored = await restoredState(instance.project, { env, folder: join(place, 'restored') });
    expect(restored).toEqual({ notes, objects: {} });
  });
});
