/** Tests properties of the disk store that other stores do not have. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CAN_MOUNT, mountSmallDisk } from '../testing/small-disk.ts';
import { diskError } from './disk/disk-error.ts';
import { openDiskStore } from './disk.ts';
import type { ObjectStore } from './object-store.ts';
import type { ReadLimiter } from './read-limits.ts';
import { sweep } from './sweep.ts';
import { ANY_WRITE, anySweep, bytesOf, flattened, newBytes, newName, streamOf } from './testing/content.ts';

const MEBIBYTE = 1024 * 1024;

let folder: string;
let store: ObjectStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-disk-'));
  store = await openDiskStore(join(folder, 'storage'));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** Paths of all files relative to the folder of the store. */
async function filesOf(path = join(folder, 'storage')): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));
}

describe('limited reads', () => {
  it('reads the beginning and each chunk within the limiter', async () => {
    const name = newName();
    const bytes = newBytes(MEBIBYTE);
    await store.write(name, streamOf(bytes), ANY_WRITE);
    let turns = 0;
    const limiter: ReadLimiter = async (read) => {
      turns += 1;
      await new Promise(setImmediate);
      return read();
    };
    expect(await bytesOf(await store.read(name, undefined, limiter))).toEqual(bytes);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('reads nothing after its stream was destroyed', async () => {
    const name = newName();
    await store.write(name, streamOf(newBytes(MEBIBYTE)), ANY_WRITE);
    const waiting: (() => void)[] = [];
    let isOpen = false;
    const limiter: ReadLimiter = async (read) => {
      if (isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
      isOpen = true;
      return read();
    };
    const content = await store.read(name, undefined, limiter);
    content.resume();
    while (waiting.length === 0) await new Promise(setImmediate);
    content.destroy();
    await new Promise((resolve) => content.once('close', resolve));
    for (const start of waiting) start();
    await new Promise(setImmediate);
    expect(content.errored).toBeNull();
  });
});

describe('files', () => {
  it('are named only by the version', async () => {
    const name = newName('../../a');
    await store.write(name, streamOf(newBytes(5)), ANY_WRITE);
    expect(await filesOf()).toEqual([`objects/${name.version.slice(0, 2)}/${name.version}`]);
  });

  it.skipIf(process.platform === 'win32')(
    'are inaccessible to other users, as are their folders',
    async () => {
      const name = newName();
      await store.write(name, streamOf(newBytes(5)), ANY_WRITE);
      await store.write(newName(), streamOf(newBytes(MEBIBYTE)), ANY_WRITE);
      const upload = { ...name, uploadId: await store.beginParts(newName(), ANY_WRITE) };
      await store.writePart({ ...upload, partNumber: 1 }, streamOf(newBytes(5)), { maxBytes: 9 });
      const entries = await readdir(join(folder, 'storage'), { recursive: true, withFileTypes: true });
      expect(entries.length).toBeGreaterThan(256);
      for (const entry of entries) {
        const { mode } = await stat(join(entry.parentPath, entry.name));
        expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
      }
    },
  );

  it('share their bytes with copies', async () => {
    const [from, to] = [newName(), newName()];
    await store.write(from, streamOf(newBytes(5)), ANY_WRITE);
    await store.copy(from, to);
    const inodes = (await filesOf()).map(async (file) => (await stat(join(folder, 'storage', file))).ino);
    expect(new Set(await Promise.all(inodes)).size).toBe(1);
  });

  it('are found by a store that is opened later', async () => {
    const name = newName();
    const bytes = newBytes(5);
    await store.write(name, streamOf(bytes), ANY_WRITE);
    await store.close();
    store = await openDiskStore(join(folder, 'storage'));
    expect((await bytesOf(await store.read(name))).equals(bytes)).toBe(true);
  });

  it.each([10, MEBIBYTE, 3 * MEBIBYTE])('of %i bytes are removed if they were rejected', async (bytes) => {
    const refused = store.write(newName(), streamOf(newBytes(bytes + 1)), { ...ANY_WRITE, maxBytes: bytes });
    await expect(refused).rejects.toMatchObject({ code: 'EntityTooLarge' });
    const content = new PassThrough();
    const broken = store.write(newName(), content, ANY_WRITE);
    content.write(newBytes(bytes), () => content.destroy(new Error('gone')));
    await expect(broken).rejects.toThrow('gone');
    const upload = { ...newName(), uploadId: await store.beginParts(newName(), ANY_WRITE) };
    const part = store.writePart({ ...upload, partNumber: 1 }, streamOf(newBytes(bytes + 1)), {
      maxBytes: bytes,
    });
    await expect(part).rejects.toMatchObject({ code: 'EntityTooLarge' });
    expect(await filesOf()).toEqual([]);
  });

  it('that storage did not create are ignored by the sweep', async () => {
    await mkdir(join(folder, 'storage', 'objects', '00'), { recursive: true });
    const foreign = join(folder, 'storage', 'objects', '00', 'readme.txt');
    await writeFile(foreign, 'x');
    await sweep(
      store,
      anySweep(async () => new Set()),
    );
    expect(await filesOf()).toEqual(['objects/00/readme.txt']);
  });
});

describe('errors of the disk', () => {
  it.each([
    ['ENOSPC', 'InsufficientStorage', 'Not enough disk space is left for objects'],
    ['EDQUOT', 'InsufficientStorage', 'Not enough disk space is left for objects'],
    ['EFBIG', 'EntityTooLarge', 'The object exceeded the maximum allowed size'],
    ['EMFILE', 'SlowDown', 'The service is busy, try again later'],
    ['ENOENT', 'InternalError', 'The folder of objects is not accessible'],
    ['EACCES', 'InternalError', 'The folder of objects is not accessible'],
    ['EROFS', 'InternalError', 'The folder of objects is not accessible'],
    ['EIO', 'InternalError', 'The folder of objects is not accessible'],
  ])('of the code %s are reported as %s', (code, expected, message) => {
    const cause = Object.assign(new Error(`${code}: /secret/path`), { code });
    expect(diskError(cause)).toMatchObject({ code: expected, message, cause });
  });

  it('of other origins are passed on', () => {
    const other = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    expect(diskError(other)).toBe(other);
  });

  it('of a missing folder do not expose its path', async () => {
    await rm(join(folder, 'storage'), { recursive: true });
    await writeFile(join(folder, 'storage'), 'no folder');
    const refused = store.write(newName(), streamOf(newBytes(5)), ANY_WRITE);
    await expect(refused).rejects.toMatchObject({
      code: 'InternalError',
      message: 'The folder of objects is not accessible',
    });
  });

  // Skipped if the tests may not mount a disk.
  it.skipIf(!CAN_MOUNT)('that is full leaves no partial file', async () => {
    const small = join(folder, 'small');
    await mkdir(small);
    const unmount = mountSmallDisk(small, 4);
    const full = await openDiskStore(small);
    try {
      const stored = newName();
      await full.write(stored, streamOf(newBytes(MEBIBYTE)), ANY_WRITE);
      const refused = { code: 'InsufficientStorage', message: 'Not enough disk space is left for objects' };
      const content = streamOf(newBytes(8 * MEBIBYTE));
      await expect(full.write(newName(), content, ANY_WRITE)).rejects.toMatchObject(refused);
      expect(await filesOf(small)).toEqual([`objects/${stored.version.slice(0, 2)}/${stored.version}`]);
      await full.write(newName(), streamOf(newBytes(MEBIBYTE)), ANY_WRITE);
    } finally {
      await full.close();
      unmount();
    }
  });
});

describe('a process that is killed', () => {
  /** Writes, joins and copies until it is killed, and prints the versions of all complete content. */
  const WRITER = `
    import { Readable } from 'node:stream';
    import { openDiskStore } from ${JSON.stringify(new URL('./disk.ts', import.meta.url).href)};
    import { ANY_WRITE, newBytes, newName, streamOf } from ${JSON.stringify(new URL('./testing/content.ts', import.meta.url).href)};
    const store = await openDiskStore(process.argv[1]);
    const tell = ({ version }, bytes) => console.log(version, bytes);
    const write = async (bytes) => {
      for (;;) {
        const name = newName();
        await store.write(name, streamOf(newBytes(bytes), 10_000), ANY_WRITE);
        tell(name, bytes);
        const copy = newName();
        await store.copy(name, copy);
        tell(copy, bytes);
      }
    };
    const writeParts = async (bytes) => {
      for (;;) {
        const name = newName();
        const upload = { ...name, uploadId: await store.beginParts(name, ANY_WRITE) };
        const parts = [];
        for (const partNumber of [1, 2, 3]) {
          const { eTag } = await store.writePart({ ...upload, partNumber }, streamOf(newBytes(bytes)), ANY_WRITE);
          parts.push({ partNumber, eTag });
        }
        await store.completeParts(upload, parts);
        tell(name, 3 * bytes);
      }
    };
    const endless = async function* () {
      for (;;) yield await new Promise((resolve) => setTimeout(resolve, 1, newBytes(100_000)));
    };
    const writeEndless = () => store.write(newName(), Readable.from(endless(), { objectMode: false }), ANY_WRITE);
    await Promise.all([writeEndless(), write(5_000), write(1_500_000), writeParts(400_000)]);`;

  it('leaves only complete content and files that are swept', async () => {
    const path = join(folder, 'killed');
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, '--', path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      output += text;
    });
    while (output.split('\n').length < 12) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');

    const after = await openDiskStore(path);
    const known = new Map(
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(' ') as [string, string]),
    );
    for (const [version, bytes] of known)
      expect((await after.stat({ ...newName(), version })).size).toBe(Number(bytes));
    const sizes = (await filesOf(path))
      .filter((file) => file.startsWith('objects/'))
      .map(async (file) => (await stat(join(path, file))).size);
    for (const size of await Promise.all(sizes)) expect([5_000, 1_500_000, 1_200_000]).toContain(size);

    expect(
      (await readdir(join(path, 'incoming'))).length,
      'besides the folder of parts, there is what was being written',
    ).toBeGreaterThan(1);
    const findReferenced = async () => new Set(known.keys());
    await sweep(after, anySweep(findReferenced));
    await after.quarantine.remove(await flattened(after.quarantine.list()));
    expect((await filesOf(path)).map((file) => file.split('/').at(-1)).toSorted()).toEqual(
      [...known.keys()].toSorted(),
    );
    await after.close();
  });
});
