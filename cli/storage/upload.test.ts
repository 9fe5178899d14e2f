import { expect, it } from 'vitest';
import { storagePathOf } from './storage-path.ts';
import { targetPath } from './upload.ts';

const NEW = { isObject: false, isFolder: false };
const FOLDER = { isObject: false, isFolder: true };

it.each([
  ['a file becomes a new object', '/b/c', NEW, '', '/b/c'],
  ['a file is put into a folder', '/b/c', FOLDER, '', '/b/c/docs'],
  [
    'a file replaces an object rather than being put into a folder',
    '/b/c',
    { isObject: true, isFolder: true },
    '',
    '/b/c',
  ],
  ['a file is put into a new folder with a slash', '/b/c/', NEW, '', '/b/c/docs'],
  ['a file is put into a bucket', '/b', NEW, '', '/b/docs'],
  ['a folder becomes a new folder', '/b/c', NEW, 'x/y', '/b/c/x/y'],
  ['a folder becomes a new bucket', '/b', NEW, 'x', '/b/x'],
  ['a folder becomes the bucket of its name', '/', NEW, 'x', '/docs/x'],
  ['a folder is put into a folder', '/b/c/', FOLDER, 'x', '/b/c/docs/x'],
  ['a folder is put into a bucket', '/b', FOLDER, 'x', '/b/docs/x'],
])('%s', (_, to, found, path, expected) => {
  expect(targetPath({ path: storagePathOf(to), ...found }, { name: 'docs', path })).toBe(expected);
});
