/** Ships content into an archive in a folder. The list of the instance and its rows are in memory. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { readRound } from '../archive/content/round.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import type { ContentRow } from '../content/backup-content.ts';
import { type ContentEntry, parseContentEntry } from '../content/content-index.ts';
import { ArchiveError } from '../errors.ts';
import { type ContentReport, ContentShipper, type PendingEntry } from './content-shipper.ts';

const LINEAGE = { systemId: '7', timeline: 1 };

let place: TestFolder;
let archive: Archive;
/** Whether the archive rejects all writes. */
let isAway: boolean;
let list: Map<string, PendingEntry>;
let isComplete: boolean;
let epoch: number;
let caughtUp: number[];
let contents: Map<string, Buffer>;
let table: (ContentRow & { time: Date })[];
let reports: ContentReport[];
let shipper: ContentShipper | undefined;
/** Called when a content is opened. */
let onOpen: (row: ContentRow) => void;

beforeEach(async () => {
  place = await createTestFolder();
  const { store } = place;
  const put: typeof store.put = async (name, bytes) => {
    if (isAway) throw new ArchiveError('unavailable', 'the archive is away');
    await store.put(name, bytes);
  };
  isAway = false;
  archive = await createTestArchive({ ...store, put }, { passphrase: 'test' });
  [list, contents, table, reports, caughtUp] = [new Map(), new Map(), [], [], []];
  [isComplete, epoch] = [false, 1];
  onOpen = () => {};
});
afterEach(async () => {
  isAway = false;
  await shipper?.close();
  shipper = undefined;
  await place.close();
});

function start(storedUntil?: Date): ContentShipper {
  shipper = new ContentShipper({
    archive,
    lineage: LINEAGE,
    pending: {
      take: async () => ({ entries: [...list.values()], isComplete, epoch }),
      settled: (versions) => {
        for (const version of versions) list.delete(version);
      },
      caughtUp: (of) => {
        caughtUp.push(of);
        isComplete = true;
      },
    },
    rows: {
      async open(row) {
        onOpen(row);
        const content = contents.get(row.version);
        return content && Readable.from([content]);
      },
      withVersions: async (versions) => table.filter(({ version }) => versions.includes(version)),
      async *since(time) {
        yield* table.filter((row) => row.time >= time);
      },
    },
    storedUntil,
    lagMs: 10,
    retryMs: 10,
    readMark: async () => ({ time: new Date(), position: 1n }),
    onReport: (report) => reports.push(report),
  });
  return shipper;
}

/** Adds an object; its row is committed unless `isCommitted` is false. */
function write(key: string, { isListed = true, isCommitted = true, time = new Date() } = {}): string {
  const version = randomUUID();
  contents.set(version, Buffer.from(`content of ${key}`));
  if (isListed) list.set(version, { bucket: 'b', key, version, isDeleted: false, waitingMs: 0 });
  if (isCommitted) table.push({ bucket: 'b', key, version, metadata: { size: 9 }, time });
  return version;
}

async function storedEntries(): Promise<ContentEntry[]> {
  const entries: ContentEntry[] = [];
  for await (const batch of place.store.list('content/7-1/'))
    for (const { name } of batch) entries.push(...(await readRound(archive, name, parseContentEntry)));
  return entries;
}

const storedKeys = async () => (await storedEntries()).map(({ key }) => key).toSorted();

describe('listed content', () => {
  it('is stored with its hash and metadata, and is settled', async () => {
    write('one');
    write('two');
    start();
    await vi.waitFor(() => expect(list.size).toBe(0));
    const entries = await storedEntries();
    expect(entries.map(({ key, metadata }) => [key, metadata])).toEqual([
      ['one', { size: 9 }],
      ['two', { size: 9 }],
    ]);
    const [one] = entries;
    const bytes = await buffer(createChunkReader(archive).stream(one?.pieces ?? []));
    expect(bytes.toString()).toBe('content of one');
    expect(shipper?.stored?.time).toBeInstanceOf(Date);
  });

  it('is stored before its row is committed, waits for that, and is given up after five minutes', async () => {
    const early = write('early', { isCommitted: false });
    const never = write('never', { isCommitted: false });
    start();
    await vi.waitFor(() => expect(shipper?.stored).toBeDefined());
    expect([...list.keys()]).toEqual([early, never]);
    expect(await storedKeys()).toEqual(['early', 'never']);
    table.push({ bucket: 'b', key: 'early', version: early, metadata: null, time: new Date() });
    await vi.waitFor(() => expect(list.has(early)).toBe(false));
    expect(list.has(never)).toBe(true);
    list.set(never, { bucket: 'b', key: 'never', version: never, isDeleted: false, waitingMs: 300_001 });
    await vi.waitFor(() => expect(list.has(never)).toBe(false));
    expect(await storedKeys()).toEqual(['early', 'never']);
  });

  it('is stored also if its row was deleted before', async () => {
    const version = write('deleted', { isCommitted: false });
    list.set(version, { bucket: 'b', key: 'deleted', version, isDeleted: true, waitingMs: 0 });
    start();
    await vi.waitFor(() => expect(list.size).toBe(0));
    expect(await storedEntries()).toMatchObject([{ key: 'deleted', metadata: null }]);
  });

  it('that does not exist any more is settled', async () => {
    contents.delete(write('gone'));
    write('here');
    start();
    await vi.waitFor(() => expect(list.size).toBe(0));
    expect(await storedKeys()).toEqual(['here']);
  });

  it('that cannot be read is reported and tried again, and does not hinder others', async () => {
    const broken = write('broken');
    write('whole');
    onOpen = ({ version }) => {
      if (version === broken) throw new Error('input/output error');
    };
    start();
    await vi.waitFor(() => expect(reports.length).toBeGreaterThan(1));
    expect(await storedKeys()).toEqual(['whole']);
    expect(reports[0]).toMatchObject({
      type: 'unreadable',
      row: { key: 'broken' },
      reason: { message: 'input/output error' },
    });
    onOpen = () => {};
    await vi.waitFor(() => expect(list.size).toBe(0));
    expect(await storedKeys()).toEqual(['broken', 'whole']);
  });

  it('is stored when the archive can be written again, and each outage is reported once', async () => {
    isAway = true;
    write('one');
    start();
    await vi.waitFor(() =>
      expect(reports).toMatchObject([{ type: 'away', reason: { kind: 'unavailable' } }]),
    );
    expect(shipper?.isAway).toBe(true);
    expect(list.size).toBe(1);
    isAway = false;
    await vi.waitFor(() => expect(list.size).toBe(0));
    await vi.waitFor(() => expect(reports.at(-1)).toEqual({ type: 'reachable' }));
    expect(reports).toHaveLength(2);
    expect(await storedKeys()).toEqual(['one']);
  });

  it('is stored before the shipper is closed', async () => {
    start();
    await vi.waitFor(() => expect(shipper?.stored).toBeDefined());
    write('last');
    await shipper?.close();
    expect(await storedKeys()).toEqual(['last']);
  });
});

describe('content that is not listed', () => {
  const before = new Date(Date.now() - 3_600_000);

  it('is found by the time of its row, and is stored once', async () => {
    write('old', { isListed: false, time: new Date(before.getTime() - 600_000) });
    write('new', { isListed: false });
    write('both');
    start(before);
    await vi.waitFor(() => expect(caughtUp).toEqual([1]));
    await vi.waitFor(() => expect(list.size).toBe(0));
    expect(await storedKeys()).toEqual(['both', 'new']);
  });

  it('is not searched for without a backup, which will contain it', async () => {
    write('old', { isListed: false });
    start();
    await vi.waitFor(() => expect(caughtUp).toEqual([1]));
    expect(await storedKeys()).toEqual([]);
  });

  it('is searched for again when the list has lost entries', async () => {
    start(before);
    await vi.waitFor(() => expect(caughtUp).toEqual([1]));
    write('lost', { isListed: false });
    [isComplete, epoch] = [false, 2];
    await vi.waitFor(() => expect(caughtUp).toEqual([1, 2]));
    expect(await storedKeys()).toEqual(['lost']);
  });
});

it('work between rounds runs alone, and chunks that it removed are stored again', async () => {
  write('one');
  const shipping = start();
  await vi.waitFor(() => expect(list.size).toBe(0));
  await shipping.betweenRounds(async () => {
    const names: string[] = [];
    for await (const batch of place.store.list('chunks/')) names.push(...batch.map(({ name }) => name));
    expect(names).toHaveLength(1);
    await place.store.remove(names);
    const version = write('one');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(list.has(version)).toBe(true);
  });
  await vi.waitFor(() => expect(list.size).toBe(0));
  const entry = (await storedEntries()).at(-1);
  const bytes = await buffer(createChunkReader(archive).stream(entry?.pieces ?? []));
  expect(bytes.toString()).toBe('content of one');
});

it('a process that starts within the same second does not replace rounds of the one before', async () => {
  for (const key of ['one', 'two', 'three']) {
    write(key);
    start();
    await vi.waitFor(() => expect(list.size).toBe(0));
    await shipper?.close();
  }
  expect(await storedKeys()).toEqual(['one', 'three', 'two']);
});
