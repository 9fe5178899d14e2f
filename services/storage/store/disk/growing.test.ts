import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDiskStore } from '../disk.ts';
import type { GrowingContent, ObjectStore, StoredContent } from '../object-store.ts';

let folder: string;
let store: ObjectStore;
let growing: GrowingContent;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-growing-'));
  store = await openDiskStore(folder);
  growing = store.growing as GrowingContent;
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const newName = () => ({ bucket: 'b', key: 'k', version: randomUUID() });
const textOf = async (name: ReturnType<typeof newName>) => text(await store.read(name));

describe('content that grows', () => {
  it('is readable after it was finished, and can be finished repeatedly', async () => {
    const name = newName();
    await growing.append(name, 0, Buffer.from('hello '));
    await growing.append(name, 6, Buffer.from('world'));
    await expect(store.read(name)).rejects.toMatchObject({ code: 'NoSuchKey' });
    expect(await growing.finish(name)).toMatchObject({ size: 11 });
    expect(await growing.finish(name)).toMatchObject({ size: 11 });
    expect(await textOf(name)).toBe('hello world');
  });

  it('is truncated to the acknowledged offset before it grows', async () => {
    const name = newName();
    await growing.append(name, 0, Buffer.from('hello and something else'));
    await growing.append(name, 5, Buffer.from('!'));
    await growing.finish(name);
    expect(await textOf(name)).toBe('hello!');

    const again = newName();
    await growing.append(again, 0, Buffer.from('first'));
    await growing.append(again, 0, Buffer.from('one'));
    await growing.finish(again);
    expect(await textOf(again)).toBe('one');
  });

  it('is listed, and can be removed', async () => {
    const name = newName();
    await growing.append(name, 0, Buffer.from('hello'));
    const listed = async () => {
      const found: StoredContent[] = [];
      for await (const batch of store.list(new Date(Date.now() + 60_000))) found.push(...batch);
      return found.some((one) => one.kind === 'content' && one.name.version === name.version);
    };
    expect(await listed()).toBe(true);
    await store.remove([name]);
    expect(await listed()).toBe(false);
    await expect(growing.append(name, 5, Buffer.from('!'))).rejects.toMatchObject({ code: 'NoSuchUpload' });
    await expect(growing.finish(name)).rejects.toMatchObject({ code: 'NoSuchUpload' });
  });

  it('is rejected if bytes are missing', async () => {
    const name = newName();
    await growing.append(name, 0, Buffer.from('hello'));
    await expect(growing.append(name, 6, Buffer.from('!'))).rejects.toMatchObject({ code: 'InternalError' });
  });

  it('must be named by a version', async () => {
    const name = { ...newName(), version: '../../outside' };
    await expect(growing.append(name, 0, Buffer.from('x'))).rejects.toMatchObject({ code: 'NoSuchUpload' });
    await expect(growing.finish(name)).rejects.toMatchObject({ code: 'NoSuchUpload' });
  });
});
