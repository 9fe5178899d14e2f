import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveIfAbsent } from './durable-files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

const withoutLinks = () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }));

describe.each([
  ['with links', undefined],
  ['without links', withoutLinks],
])('on a file system %s', (name, linkFile) => {
  it('a file is moved to a free path only', async () => {
    const target = join(folder, `${name} target`);
    const sources = await Promise.all(
      ['a', 'b', 'c'].map(async (text) => {
        await writeFile(join(folder, name + text), text);
        return join(folder, name + text);
      }),
    );
    const moved = await Promise.all(sources.map((source) => moveIfAbsent(source, target, linkFile)));
    expect(moved.filter(Boolean)).toHaveLength(1);
    const left = await Promise.all(sources.map((source) => stat(source).catch(() => undefined)));
    expect(left.map((stats) => stats === undefined)).toEqual(moved);
    expect(await readFile(target, 'utf8')).toBe('abc'[moved.indexOf(true)]);
  });
});

it('an error other than an existing path is thrown', async () => {
  const absent = join(folder, 'absent');
  await expect(moveIfAbsent(absent, join(folder, 'free'))).rejects.toMatchObject({ code: 'ENOENT' });
});
