/** The behaviour that all stores share. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ArchiveStore } from './archive-store.ts';
import { listAll } from './list-all.ts';
import { type OpenedStore, TEST_STORES } from './testing/open-stores.ts';

describe.each(TEST_STORES)('%s', (_name, openTestStore) => {
  let opened: OpenedStore;
  let store: ArchiveStore;

  beforeAll(async () => {
    opened = await openTestStore();
    store = opened.store;
  });
  afterEach(() => opened.empty());
  afterAll(() => opened.close());

  it('reads the bytes that were written, also none', async () => {
    const bytes = randomBytes(3_000_000);
    await store.put('a/b-c_d.e', bytes);
    await store.put('empty', Buffer.alloc(0));
    expect((await store.get('a/b-c_d.e')).equals(bytes)).toBe(true);
    expect(await store.get('empty')).toHaveLength(0);
  });

  it('replaces a value', async () => {
    await store.put('a', Buffer.from('long value'));
    await store.put('a', Buffer.from('short'));
    expect(await store.get('a')).toEqual(Buffer.from('short'));
  });

  it('has all values that were put later after a flush', async () => {
    const values = Array.from({ length: 600 }, (_, index) => Buffer.from(`value ${index}`));
    await Promise.all(values.map((value, index) => store.putLater(`later/${index % 7}/${index}`, value)));
    await store.flush();
    expect(await listAll(store, 'later/')).toHaveLength(600);
    for (const index of [0, 255, 256, 599])
      expect(await store.get(`later/${index % 7}/${index}`)).toEqual(values[index]);
    await store.flush();
  });

  it('rejects reading a free name with the kind "missing"', async () => {
    await store.put('folder/a', Buffer.from('x'));
    for (const name of ['b', 'folder/b', 'other/a'])
      await expect(store.get(name)).rejects.toMatchObject({
        kind: 'missing',
        message: expect.stringContaining(name),
      });
  });

  it('writes to a free name only once', async () => {
    const values = Array.from({ length: 8 }, (_, index) => Buffer.from(`value ${index}`));
    const written = await Promise.all(values.map((value) => store.putIfAbsent('leases/1', value)));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await store.get('leases/1')).toEqual(values[written.indexOf(true)]);
    expect(await store.putIfAbsent('leases/1', Buffer.from('late'))).toBe(false);
    expect(await store.putIfAbsent('leases/2', Buffer.from('free'))).toBe(true);
  });

  it('lists names with sizes and times', async () => {
    const names = ['a-b', 'a/b-c/d', 'a/b/c', 'a0', 'B', 'a.b'];
    const before = Date.now();
    for (const [index, name] of names.entries()) await store.put(name, randomBytes(index));
    const listed = await listAll(store, '');
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { name, size, modified } of listed) {
      expect(size).toBe(names.indexOf(name));
      expect(Math.abs(modified.getTime() - before)).toBeLessThan(600_000);
    }
  });

  it.each([
    ['', ['a/1', 'a/2', 'ab/1', 'b']],
    ['a', ['a/1', 'a/2', 'ab/1']],
    ['a/', ['a/1', 'a/2']],
    ['a/2', ['a/2']],
    ['a/22', []],
    ['c', []],
    ['c/d/', []],
  ])('lists the names that start with "%s"', async (prefix, expected) => {
    for (const name of ['b', 'ab/1', 'a/2', 'a/1']) await store.put(name, Buffer.from('x'));
    expect((await listAll(store, prefix)).map(({ name }) => name)).toEqual(expected);
  });

  it('lists more names than a page of S3 has', async () => {
    const names = Array.from({ length: 1100 }, (_, index) => `chunks/${String(index).padStart(5, '0')}`);
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => store.put(name, Buffer.from('x'))));
    expect((await listAll(store, 'chunks/')).map(({ name }) => name)).toEqual(names);
  });

  it('removes values, also those that do not exist', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `a/${index}`);
    for (const name of names) await store.put(name, Buffer.from('x'));
    await store.remove([...names.slice(1), 'a/none', 'none/none']);
    await store.remove([]);
    expect((await listAll(store, '')).map(({ name }) => name)).toEqual(['a/0']);
  });

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '../a',
    'a/../b',
    './a',
    '.a',
    'a/.b',
    'a b',
    'ä',
    'a\\b',
    'a\n',
    'a.partial',
  ])('refuses the name %j', async (name) => {
    const refused = { kind: 'refused', message: expect.stringContaining('is not a name in an archive') };
    await expect(store.put(name, Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store.putIfAbsent(name, Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store.get(name)).rejects.toMatchObject(refused);
    await expect(store.remove([name])).rejects.toMatchObject(refused);
  });

  it('describes its place', () => {
    expect(store.location).toMatch(opened.place);
  });
});
