/** Which archives accept the backups of an instance. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import { listBackups } from '../archive/backups/backups.ts';
import { openOrCreateArchive } from '../archive/open-archive.ts';
import { writeTestBackup } from '../archive/testing/backups.ts';
import { openFolderStore } from '../store/folder.ts';
import { compareInstances, type InstanceIdentity, requireOwnArchive } from './same-instance.ts';

const [SHOP, CLUB] = ['6b4a1f52-9c1d-4a59-8a51-6f2b1f0a4f01', '0f6c2b1e-52b4-4b0e-9b61-1f2a3b4c5d02'];

let folder: string;
let archive: Archive;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-instances-'));
  const secrets = { noEncryption: true };
  archive = await openOrCreateArchive(openFolderStore(folder), { secrets, greenroomVersion: '0.1.0' });
});
afterEach(() => rm(folder, { recursive: true }));

async function requireOwn(instance: InstanceIdentity): Promise<void> {
  requireOwnArchive(await listBackups(archive.store), instance);
}

it.each([
  [
    'equal ids, different clusters',
    { instanceId: SHOP, systemId: '1' },
    { instanceId: SHOP, systemId: '2' },
    'same',
  ],
  ['different ids', { instanceId: SHOP, systemId: '1' }, { instanceId: CLUB, systemId: '1' }, 'other'],
  ['an id and none, one cluster', { instanceId: SHOP, systemId: '1' }, { systemId: '1' }, 'same'],
  ['an id and none, different clusters', { instanceId: SHOP, systemId: '1' }, { systemId: '2' }, 'other'],
  ['an external database and a cluster without id', { instanceId: SHOP }, { systemId: '1' }, 'unknown'],
])('instances with %s are compared', (_name, one, other, expected) => {
  expect(compareInstances(one, other)).toBe(expected);
  expect(compareInstances(other, one)).toBe(expected);
});

it('an archive with backups of another instance only refuses an instance, and names one of them', async () => {
  const { id } = await writeTestBackup(archive, undefined, { instanceId: SHOP, systemId: '1' });
  await expect(requireOwn({ instanceId: CLUB, systemId: '2' })).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(`folder ${folder} has backups of another instance, e.g. ${id}: `),
  });
});

it('an archive accepts its instance after a reset of the database, and one whose backups are of an earlier version', async () => {
  await writeTestBackup(archive, undefined, { systemId: '1' });
  await requireOwn({ instanceId: SHOP, systemId: '1' });
  await writeTestBackup(archive, undefined, { instanceId: SHOP, systemId: '1' });
  await requireOwn({ instanceId: SHOP, systemId: '2' });
});

it('an archive that two instances share already accepts both', async () => {
  await writeTestBackup(archive, undefined, { systemId: '1' });
  await writeTestBackup(archive, undefined, { systemId: '2' });
  await requireOwn({ instanceId: SHOP, systemId: '1' });
  await requireOwn({ instanceId: CLUB, systemId: '2' });
});

it('an empty archive accepts an instance without an id', async () => {
  await requireOwn({});
});
