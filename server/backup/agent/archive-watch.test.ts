import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Archive, ArchiveError, openOrCreateArchive, openStore } from '@greenroom/backup';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchArchive } from './archive-watch.ts';

const OPTIONS = { secrets: { noEncryption: true }, greenroomVersion: '1' };

let folder: string;
let archive: Archive;
let closing: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-watch-'));
  archive = await openOrCreateArchive(await openStore(folder), OPTIONS);
  closing = new AbortController();
});
afterEach(async () => {
  closing.abort();
  await rm(folder, { recursive: true });
});

/** Resolves with the messages of changes when the watch has ended. */
async function watch(watched: Archive = archive): Promise<string[]> {
  const changes: string[] = [];
  const onChange = ({ message }: Error) => changes.push(message);
  await watchArchive({ archive: watched, signal: closing.signal, everyMs: 1, onChange });
  return changes;
}

it.each([
  ['removed', 'contains no archive any more', () => rm(join(folder, 'archive.json'))],
  ['damaged', 'archive.json in', () => writeFile(join(folder, 'archive.json'), '{')],
  [
    'replaced by another one',
    'contains another archive now',
    async () => {
      await rm(join(folder, 'archive.json'));
      await openOrCreateArchive(archive.store, OPTIONS);
    },
  ],
])('an archive that was %s is reported once', async (_, message, change) => {
  await change();
  const [first = '', ...others] = await watch();
  expect(first).toContain(message);
  expect(first).toContain(folder);
  expect(others).toEqual([]);
});

it('an archive that is the same, or in a place that is away, is not reported', async () => {
  let reads = 0;
  const watched: Archive = {
    ...archive,
    store: {
      ...archive.store,
      async get(name) {
        if (++reads === 5) closing.abort();
        if (reads % 2 === 0) throw new ArchiveError('unavailable', 'away');
        return archive.store.get(name);
      },
    },
  };
  expect(await watch(watched)).toEqual([]);
  expect(reads).toBe(5);
});
