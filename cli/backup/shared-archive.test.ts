/** Two instances whose settings name the same archive: only the first one is backed up continuously. */
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

it('the second instance reports that the archive is in use, then that it is that of another instance, and serves', {
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
  await first.stop();
  await second.waitForLog('has backups of another instance');
  expect(await second.metric('archive_up')).toBe(0);
  await first.start(env);
  await first.waitUntilStored(store);
  await requireComplete(store);
});

it('the newest state is that of the first instance', { tags: ['trial'] }, async () => {
  const { notes } = await restoredState(first.project, { env, folder: join(place, 'restored') });
  expect(notes).toEqual(['of the first']);
});
