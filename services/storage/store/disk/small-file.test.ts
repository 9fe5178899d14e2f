import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeSmallFile } from './small-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-small-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

const target = (file: string, syncName = async () => {}) => ({
  temporary: join(folder, 'temporary'),
  file: join(folder, file),
  mode: 0o600,
  syncName,
});

/** Open files of this process in the folder. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}

describe('writeSmallFile', () => {
  it.each([
    ['no chunk', []],
    ['one chunk', ['one']],
    ['several chunks', ['one', 'two', 'three']],
  ])('writes a private file of %s', async (_, texts) => {
    const chunks = texts.map((text) => Buffer.from(text));
    await writeSmallFile(chunks, target('file'));
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe(texts.join(''));
    expect((await stat(join(folder, 'file'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('resolves after the name is on stable storage', async () => {
    const synced = Promise.withResolvers<void>();
    const events: string[] = [];
    const writing = writeSmallFile(
      [Buffer.from('x')],
      target('file', () => synced.promise),
    ).then(() => events.push('written'));
    while (!(await readdir(folder)).includes('file')) await new Promise(setImmediate);
    events.push('synced');
    synced.resolve();
    await writing;
    expect(events).toEqual(['synced', 'written']);
  });

  it.each([
    ['the folder does not exist', () => target('missing/file')],
    ['the name cannot be synced', () => target('file', () => Promise.reject(new Error('EIO')))],
  ])('leaves no file if %s', async (_, failing) => {
    await expect(writeSmallFile([Buffer.from('x')], failing())).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('closes files, also after a failure', async () => {
    await writeSmallFile([Buffer.from('x')], target('file'));
    await writeSmallFile([Buffer.from('x')], target('missing/file')).catch(() => {});
    expect(await openFiles()).toEqual([]);
  });
});
