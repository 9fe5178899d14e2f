import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireWritable, writeTypes } from './types-file.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-types-'));
  path = join(folder, 'types.ts');
});
afterEach(() => rm(folder, { recursive: true }));

describe('a file of types', () => {
  it('is written, and again only with another content', async () => {
    expect(await writeTypes(path, 'one')).toBe(true);
    const { ino } = await stat(path);
    expect(await writeTypes(path, 'one')).toBe(false);
    expect((await stat(path)).ino).toBe(ino);
    expect(await writeTypes(path, 'two')).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('two');
    expect(await readdir(folder)).toEqual(['types.ts']);
  });

  it('keeps its permissions and its symbolic link', async () => {
    await writeFile(path, 'one');
    await chmod(path, 0o664);
    await symlink('types.ts', join(folder, 'link.ts'));
    await writeTypes(join(folder, 'link.ts'), 'two');
    expect((await lstat(join(folder, 'link.ts'))).isSymbolicLink()).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o664);
    expect(await readFile(path, 'utf8')).toBe('two');
  });

  it.each([
    ['a missing folder', 'none/types.ts', /^cannot write .*types\.ts: the folder .*none does not exist/],
    ['the name of a folder', '.', /is a folder\. Name a file in it\.$/],
  ])('is refused before it is generated: %s', async (_, name, message) => {
    await expect(requireWritable(join(folder, name))).rejects.toThrow(message);
  });

  it('may be new or exist', async () => {
    await requireWritable(path);
    await writeFile(path, '');
    await requireWritable(path);
  });

  it('is refused with its path if it cannot be written', async () => {
    await writeFile(path, '');
    await expect(writeTypes(join(path, 'types.ts'), 'one')).rejects.toThrow(
      /^cannot write .*types\.ts\/types\.ts: ENOTDIR/,
    );
  });
});
