/** Manifests, references, checks and lists of backups. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveStore } from '../../store/archive-store.ts';
import type { Archive } from '../archive.ts';
import { encodeChecked } from '../checked-json.ts';
import { idsIn } from '../chunks/chunk-ids.ts';
import { createChunkReader } from '../chunks/chunk-reader.ts';
import { readIndex } from '../chunks/index-file.ts';
import { checkName, manifestName, referencesName } from '../layout.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../testing/archives.ts';
import { testManifest, writeTestBackup } from '../testing/backups.ts';
import { listBackups, readManifest, readReferences, removeBackups, writeBackup } from './backups.ts';
import { findCheck, writeCheck } from './check-result.ts';

let place: TestFolder;
let archive: Archive;

beforeEach(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store, { passphrase: 'test' });
});
afterEach(() => place.close());

const pathOf = (name: string) => join(place.folder, name);

async function edit(name: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(pathOf(name), 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(pathOf(name), change(text));
}

describe('a backup', () => {
  it('is read with its index and references', async () => {
    const piece = randomBytes(100);
    const manifest = await writeTestBackup(archive, [piece]);
    expect(await readManifest(archive, manifest.id)).toEqual(manifest);
    const references = await readReferences(place.store, manifest);
    const reader = createChunkReader(archive);
    const [database = []] = Object.values(manifest.indexes);
    const ids: string[] = [];
    for await (const id of readIndex(reader, database, String)) ids.push(id);
    expect(await reader.read(ids[0] ?? '')).toEqual(piece);
    expect([...idsIn(references)]).toEqual([...ids, ...database].toSorted());
    expect(manifest.references.count).toBe(2);
  });

  it('exists only after its references are stored, and is then committed', async () => {
    const calls: string[] = [];
    const store: ArchiveStore = {
      ...place.store,
      put: async (name, bytes) => {
        calls.push(name);
        await place.store.put(name, bytes);
      },
      commit: async () => {
        calls.push('commit');
      },
    };
    const { id } = await writeBackup({ ...archive, store }, testManifest(), Buffer.alloc(0));
    expect(calls).toEqual([referencesName(id), manifestName(id), 'commit']);
  });

  it('is listed without a key, oldest first, with its newest check', async () => {
    const late = await writeTestBackup(archive, undefined, { createdAt: '2026-11-28T10:00:00.000Z' });
    const early = await writeTestBackup(archive, undefined, { createdAt: '2026-11-27T10:00:00.000Z' });
    const check = {
      checkedAt: '2026-11-29T10:00:00.000Z',
      greenroomVersion: '0.1.0',
      method: 'read' as const,
    };
    await writeCheck(archive, late.id, { ...check, problems: ['broken'] });
    await writeCheck(archive, late.id, { ...check, problems: [] });
    expect(await listBackups(place.store)).toEqual({
      location: place.store.location,
      backups: [
        { id: early.id, manifest: early, check: undefined },
        { id: late.id, manifest: late, check: { backup: late.id, ...check, problems: [] } },
      ],
      unreadable: [],
    });
  });

  it('is listed with a key only with the seals of its manifest and its check', async () => {
    const [good, changed, forged, unsealed] = await Promise.all(
      [1, 2, 3, 4].map((day) =>
        writeTestBackup(archive, undefined, { createdAt: `2026-11-0${day}T10:00:00.000Z` }),
      ),
    );
    if (!good || !changed || !forged || !unsealed) throw new Error('no backups');
    const check = {
      checkedAt: '2026-11-29T10:00:00.000Z',
      ...{ greenroomVersion: '0.1.0', method: 'read' as const, problems: [] },
    };
    for (const { id } of [good, forged, unsealed]) await writeCheck(archive, id, check);
    const forge = async (name: string, change: object, keepsSeal: boolean) => {
      const { checksum: _, seal, ...fields } = JSON.parse(String(await place.store.get(name)));
      const file = JSON.parse(encodeChecked({ ...fields, ...change }).toString());
      await place.store.put(name, Buffer.from(JSON.stringify({ ...file, ...(keepsSeal && { seal }) })));
    };
    await forge(manifestName(changed.id), { stopTime: '2026-11-30T10:00:00.000Z' }, true);
    await forge(checkName(forged.id), { problems: ['forged'] }, true);
    await forge(checkName(unsealed.id), { problems: ['forged'] }, false);
    const rejected: string[] = [];
    const { backups, unreadable } = await listBackups(place.store, {
      archive,
      onRejected: ({ message }) => rejected.push(message),
    });
    expect(backups.map(({ id, check: found }) => [id, found?.problems])).toEqual([
      [good.id, []],
      [forged.id, undefined],
      [unsealed.id, undefined],
    ]);
    expect(unreadable.map(({ error }) => error.message)).toEqual([
      expect.stringMatching(`^${manifestName(changed.id)} in .* is damaged: it was changed after`),
    ]);
    expect(rejected).toEqual([
      expect.stringMatching(`^${checkName(forged.id)} in .* is damaged: it was changed after`),
    ]);
    const listed = await listBackups(place.store);
    expect(listed.backups.map(({ check: found }) => found?.problems)).toEqual([
      ...[[], undefined, ['forged'], ['forged']],
    ]);
  });

  it('counts as not checked if its check is damaged', async () => {
    const { id } = await writeTestBackup(archive);
    await place.store.put(checkName(id), Buffer.from('{}'));
    expect(await findCheck(place.store, id)).toBeUndefined();
  });

  it('is removed with its references and check, manifest first', async () => {
    const { id } = await writeTestBackup(archive);
    await place.store.put(checkName(id), Buffer.from('{}'));
    const removals: string[][] = [];
    const store: ArchiveStore = {
      ...place.store,
      remove: async (names) => {
        removals.push([...names]);
        await place.store.remove(names);
      },
    };
    await removeBackups(store, [id]);
    expect(removals).toEqual([[manifestName(id)], [referencesName(id), checkName(id)]]);
    expect(await readdir(pathOf('backups'))).toEqual([]);
    await expect(readManifest(archive, id)).rejects.toMatchObject({ kind: 'missing' });
  });

  it.each([
    ['half of a manifest', (text: string) => text.slice(0, 100), 'it is not JSON'],
    [
      'a changed number',
      (text: string) => text.replace('"timeline":1', '"timeline":2'),
      'its checksum is wrong',
    ],
  ])('with %s is listed as unreadable', async (_name, change, message) => {
    const kept = await writeTestBackup(archive, undefined, { createdAt: '2026-11-27T10:00:00.000Z' });
    const { id } = await writeTestBackup(archive, undefined, { createdAt: '2026-11-28T10:00:00.000Z' });
    await edit(manifestName(id), change);
    const { backups, unreadable } = await listBackups(place.store);
    expect(backups.map((each) => each.id)).toEqual([kept.id]);
    expect(unreadable).toMatchObject([
      { id, error: { kind: 'damaged', message: expect.stringContaining(`${manifestName(id)} in folder`) } },
    ]);
    expect(unreadable[0]?.error.message).toContain(message);
  });

  it('of a newer format is listed with the version that it needs', async () => {
    const { id } = await writeTestBackup(archive, undefined, { greenroomVersion: '9.0.0' });
    await edit(manifestName(id), (text) => text.replace('"format":1', '"format":3'));
    expect((await listBackups(place.store)).unreadable).toMatchObject([
      { id, error: { kind: 'refused', message: expect.stringContaining('use Greenroom 9.0.0 or newer') } },
    ]);
  });

  it('under the id of another is not accepted', async () => {
    const [left, right] = [await writeTestBackup(archive), await writeTestBackup(archive)];
    await place.store.put(manifestName(right.id), await place.store.get(manifestName(left.id)));
    await expect(readManifest(archive, right.id)).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringContaining(`it belongs to ${left.id}`),
    });
  });

  it('that was changed with a new checksum is accepted only without a key', async () => {
    const manifest = await writeTestBackup(archive);
    // Anyone who can write can compute the checksum; without encryption, also the seal.
    const forger = await createTestFolder();
    const other = await createTestArchive(forger.store, { passphrase: 'other' });
    await writeBackup(other, { ...manifest, timeline: 7 } as typeof manifest, Buffer.alloc(0));
    await place.store.put(manifestName(manifest.id), await forger.store.get(manifestName(manifest.id)));
    await forger.close();
    expect((await listBackups(place.store)).backups).toMatchObject([{ manifest: { timeline: 7 } }]);
    await expect(readManifest(archive, manifest.id)).rejects.toMatchObject({ kind: 'damaged' });
  });

  it.each([
    ['missing', (name: string) => rm(pathOf(name))],
    ['damaged', (name: string) => edit(name, (text) => text.slice(1))],
  ])('with references that are %s is reported', async (kind, change) => {
    const manifest = await writeTestBackup(archive);
    await change(referencesName(manifest.id));
    await expect(readReferences(place.store, manifest)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(referencesName(manifest.id)),
    });
  });
});

it('a seal of one manifest does not fit another one', async () => {
  const [left, right] = [await writeTestBackup(archive), await writeTestBackup(archive)];
  const sealOf = async (id: string) => JSON.parse(await readFile(pathOf(manifestName(id)), 'utf8')).seal;
  const seals = [await sealOf(left.id), await sealOf(right.id)] as const;
  await edit(manifestName(left.id), (text) => text.replace(seals[0], seals[1]));
  await expect(readManifest(archive, left.id)).rejects.toMatchObject({ kind: 'damaged' });
});
