/** Two instances whose settings name the same archive: one at a time is backed up continuously. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveStore, openStore } from '@greenroom/backup';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type BackedUpInstance,
  createBackedUpInstance,
  PASSPHRASE,
  requireComplete,
  restoredState,
  storedIn,
} from './testing/backed-up-instance.ts';

let place: string;
let store: ArchiveStore;
let first: BackedUpInstance;
let second: BackedUpInstance;
let env: Record<string, string>;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-shared-'));
  await chmod(place, 0o711);
  await writeFile(join(place, 'passphrase'), PASSPHRASE, { mode: 0o600 });
  env = {
    GREENROOM_BACKUP_URL: join(place, 'archive'),
    GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, 'passphrase'),
    GREENROOM_BACKUP_LAG_SECONDS: '1',
  };
  store = await openStore(join(place, 'archive'));
  first = await createBackedUpInstance();
  second = await createBackedUpInstance();
});
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

it('the second instance reports that the archive is in use, serves, and takes over when the first one has ended', {
  tags: ['trial'],
}, async () => {
  // The first backup contains the row.
  await first.start({});
  await first.insert('of the first');
  await first.stop();
  await first.start(env);
  await first.waitUntilVerified();
  await second.start(env);
  await second.waitForLog(`is in use by the continuous backup of the instance in ${first.dataFolder}`);
  await second.insert('of the second');
  expect(await second.metric('archive_up')).toBe(0);
  expect(await first.metric('archive_up')).toBe(1);
  const { lineage: ofFirst } = await storedIn(store);
  await first.stop();
  await second.waitUntilVerified();
  await second.waitUntilStored(store);
  const { lineage: ofSecond } = await storedIn(store);
  expect(ofSecond.systemId).not.toBe(ofFirst.systemId);
  await requireComplete(store);
});

it('the backups of both instances can be restored', { tags: ['trial'] }, async () => {
  const { backups } = await storedIn(store);
  expect(backups.length).toBeGreaterThanOrEqual(2);
  const states: string[][] = [];
  for (const { id } of [backups[0] ?? { id: '' }, backups.at(-1) ?? { id: '' }]) {
    const folder = join(place, id);
    const { notes } = await restoredState(first.project, { env, folder, args: ['--backup', id] });
    states.push(notes);
  }
  expect(states).toEqual([['of the first'], ['of the second']]);
});
