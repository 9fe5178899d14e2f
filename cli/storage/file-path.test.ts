import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileNameError, fileSegments, makeFolders } from './file-path.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-file-path-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the path of a file for a key', () => {
  it.each(['a', 'a/b.txt', '.hidden', '...', '..a/b..', 'C:', 'é/😀', 'x'.repeat(255)])(
    'has the segments of %j',
    (key) => {
      expect(fileSegments(key)).toEqual(key.split('/'));
    },
  );

  it.each([
    '',
    '.',
    '..',
    '../a',
    'a/..',
    'a/../../b',
    '/etc/passwd',
    'a//b',
    'a/',
    '..\\a',
    'C:\\a',
    'a\0b',
    'x'.repeat(256),
    'é'.repeat(128),
  ])('does not exist for %j', (key) => {
    expect(() => fileSegments(key)).toThrow(FileNameError);
  });

  it('is below the folder for any key', () => {
    const part = fc.constantFrom('a', '.', '..', '/', '\\', '\0', 'é', ' ', ':');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        let path: string;
        try {
          path = join(folder, ...fileSegments(parts.join('')));
        } catch {
          return;
        }
        expect(path.startsWith(folder + sep)).toBe(true);
      }),
    );
  });
});

describe('folders of a download', () => {
  it('are created, unless a file or a symbolic link has their name', async () => {
    const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
    await mkdir(outside);
    expect(await makeFolders(root, ['a', 'b'])).toBe(join(root, 'a', 'b'));
    await writeFile(join(root, 'file'), '');
    await symlink(outside, join(root, 'link'));
    for (const name of ['file', 'link'])
      await expect(makeFolders(root, [name, 'new'])).rejects.toThrow(`${join(root, name)} is no folder`);
    expect(await readdir(outside)).toEqual([]);
  });
});
