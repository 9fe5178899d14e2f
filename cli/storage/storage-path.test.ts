import { describe, expect, it } from 'vitest';
import {
  isBucketPrefix,
  isFolderPath,
  isStorageAddress,
  parseStorageAddress,
  requireUrlKey,
  storagePathOf,
} from './storage-path.ts';

describe('an address of storage', () => {
  it.each([
    ['ss:///', { text: '/', bucket: '', key: '' }],
    ['SS:///photos', { text: '/photos', bucket: 'photos', key: '' }],
    ['ss:///photos/', { text: '/photos/', bucket: 'photos', key: '' }],
    ['ss:///photos/a/b.png', { text: '/photos/a/b.png', bucket: 'photos', key: 'a/b.png' }],
    ['ss:///photos/a/', { text: '/photos/a/', bucket: 'photos', key: 'a/' }],
    ['ss:///photos/a b%20c%3F%25', { text: '/photos/a b c?%', bucket: 'photos', key: 'a b c?%' }],
  ])('%s is split into bucket and key', (address, path) => {
    expect(parseStorageAddress(address)).toEqual(path);
  });

  it.each([
    '',
    'ss:',
    'ss://',
    'ss://photos/a',
    'ss:/photos',
    's3:///photos',
    'ss:///a#b',
    'ss:///a%',
    '/photos',
  ])('%j is rejected as the address of an object', (address) => {
    expect(() => parseStorageAddress(address)).toThrow('is not an address of storage');
  });

  it.each(['ss:///..', 'ss:///./a', 'ss:///%2e%2e/a'])(
    '%s is rejected as the name of a bucket',
    (address) => {
      expect(() => parseStorageAddress(address)).toThrow('names no bucket');
    },
  );

  it('differs from local paths by its scheme only', () => {
    expect(['ss:/a', 'SS:///a', './ss:', 'C:\\a', 'ss'].map(isStorageAddress)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('names a folder or the beginning of a bucket by its form', () => {
    const paths = ['/', '/b', '/b/', '/b/a/', '/b/a'].map(storagePathOf);
    expect(paths.map(isFolderPath)).toEqual([true, true, true, true, false]);
    expect(paths.map(isBucketPrefix)).toEqual([true, true, false, false, false]);
  });

  it.each(['/b/..', '/b/a/../c', '/b/./a', '/b//a', '/b/a/'])('%s cannot be sent in a URL', (text) => {
    expect(() => requireUrlKey(storagePathOf(text))).toThrow('cannot contain an empty segment');
  });
});
