/** The file store: one tar file that is written once. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveStore } from './archive-store.ts';
import { openFileStore } from './file.ts';
import { openFolderStore } from './folder.ts';
import { listAll } from './list-all.ts';

const VALUES = new Map([
  ['archive.json', Buffer.from('{}')],
  ['chunks/ab/empty', Buffer.alloc(0)],
  ['chunks/ab/block', randomBytes(512)],
  ['chunks/ab/large', randomBytes(1_000_001)],
]);

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-archive-'));
  path = join(folder, 'backup.tar');
});
afterEach(() => rm(folder, { recursive: true }));

async function fill(store: ArchiveStore): Promise<void> {
  await Promise.all([...VALUES].map(([name, bytes]) => store.put(name, bytes)));
}

async function create(): Promise<void> {
  const store = openFileStore(path);
  await fill(store);
  await store.commit();
  await store.close();
}

async function expectValues(store: ArchiveStore): Promise<void> {
  for (const [name, bytes] of VALUES) expect((await store.get(name)).equals(bytes), name).toBe(true);
  const names = (await listAll(store, '')).map(({ name }) => name);
  expect(names.toSorted()).toEqual([...VALUES.keys()].toSorted());
}

describe('a file', () => {
  it('appears when it is committed, with mode 0600', async () => {
    const store = openFileStore(join(folder, 'new', 'backup.tar'));
    await fill(store);
    await expectValues(store);
    expect(await readdir(join(folder, 'new'))).toEqual([
      expect.stringMatching(/^backup\.tar\.[0-9a-f]{12}\.partial$/),
    ]);
    await store.commit();
    expect(await readdir(join(folder, 'new'))).toEqual(['backup.tar']);
    expect((await stat(join(folder, 'new', 'backup.tar'))).mode & 0o777).toBe(0o600);
    await expectValues(store);
    await store.close();
  });

  it('is read when it is opened again', async () => {
    await create();
    const store = openFileStore(path);
    await expectValues(store);
    expect(await listAll(store, 'chunks/')).toHaveLength(3);
    await expect(store.get('chunks/ab/none')).rejects.toMatchObject({ kind: 'missing' });
    await store.close();
  });

  it('can be extracted to the folder of an archive', async () => {
    await create();
    const target = join(folder, 'extracted');
    await mkdir(target);
    execFileSync('tar', ['-xf', path, '-C', target]);
    await expectValues(openFolderStore(target));
  });

  it('is not changed once it is complete', async () => {
    await create();
    const before = await readFile(path);
    const store = openFileStore(path);
    const refused = {
      kind: 'refused',
      message: `file ${path} exists and is not changed: choose another name`,
    };
    await expect(store.put('a', Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store.putIfAbsent('a', Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store.remove(['archive.json'])).rejects.toMatchObject({ kind: 'refused' });
    await store.commit();
    await store.close();
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('is not replaced if another process completes one with the same name', async () => {
    const [first, second] = [openFileStore(path), openFileStore(path)];
    await fill(first);
    await second.put('other', Buffer.from('x'));
    await first.commit();
    await expect(second.commit()).rejects.toMatchObject({ kind: 'refused' });
    await Promise.all([first.close(), second.close()]);
    expect(await readdir(folder)).toEqual(['backup.tar']);
    const store = openFileStore(path);
    await expectValues(store);
    await store.close();
  });

  it('is removed if it is closed before it is complete', async () => {
    const store = openFileStore(path);
    await fill(store);
    await store.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not created by reading', async () => {
    const store = openFileStore(path);
    await expect(store.get('a')).rejects.toMatchObject({ kind: 'missing' });
    expect(await listAll(store, '')).toEqual([]);
    await store.commit();
    expect(await readdir(folder)).toEqual([]);
    await fill(store);
    await store.commit();
    await store.close();
    expect(await readdir(folder)).toEqual(['backup.tar']);
  });

  it('contains the value of the last put, and that of the first conditional one', async () => {
    const store = openFileStore(path);
    await store.put('a', Buffer.from('first'));
    await store.put('a', Buffer.from('second'));
    const written = await Promise.all(['x', 'y'].map((text) => store.putIfAbsent('b', Buffer.from(text))));
    expect(written).toEqual([true, false]);
    expect(await store.putIfAbsent('a', Buffer.from('third'))).toBe(false);
    await store.commit();
    await store.close();
    const read = openFileStore(path);
    expect((await read.get('a')).toString()).toBe('second');
    expect((await read.get('b')).toString()).toBe('x');
    expect(await listAll(read, '')).toHaveLength(2);
    await read.close();
  });

  it.each([
    ['half of its bytes', async () => truncate(path, 500_000), 'is damaged: it ends at byte'],
    ['no end mark', async () => truncate(path, (await stat(path)).size - 1024), 'without an end mark'],
    ['a damaged header', () => flip(0), 'it has no valid tar header at byte 0'],
    ['other content', () => writeFile(path, 'x'.repeat(2000)), 'it has no valid tar header at byte 0'],
  ])('with %s is refused', async (_name, change, message) => {
    await create();
    await change();
    const store = openFileStore(path);
    await expect(store.get('archive.json')).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/backup.tar is damaged: .*/),
    });
    await expect(store.get('archive.json')).rejects.toThrow(message);
    await store.close();
  });

  it('of a killed process is removed later', async () => {
    await writeFile(`${path}.00.partial`, 'x');
    await writeFile(`${path}.01.partial`, 'x');
    await writeFile(join(folder, 'other.tar.00.partial'), 'x');
    await utimes(`${path}.00.partial`, 1, 1);
    await utimes(join(folder, 'other.tar.00.partial'), 1, 1);
    await openFileStore(path).removeAbandoned(new Date(2000));
    expect(await readdir(folder)).toEqual(['backup.tar.01.partial', 'other.tar.00.partial']);
  });
});

async function flip(position: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  await writeFile(path, bytes);
}
