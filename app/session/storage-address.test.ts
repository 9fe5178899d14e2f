import { describe, expect, it } from 'vitest';
import { picturePath, pictureUrl, storageBase } from './storage-address.ts';

const ID = '0b9f3c1e-7a52-4d0e-9b1c-2f6f7d1b8a11';
const PATH = `greenroom-account-pictures/${ID}/m3k-9.webp`;

it.each([
  [{ apiUrl: null, baseURL: '/' }, '/storage/v1'],
  [{ apiUrl: null, baseURL: '/room/' }, '/room/storage/v1'],
  [{ apiUrl: 'https://x.example', baseURL: '/' }, 'https://x.example/storage/v1'],
])('returns for storage of %j: %s', (config, base) => {
  expect(storageBase(config)).toBe(base);
});

describe('the URL of a picture', () => {
  it('is derived from any earlier URL and points to the current site', () => {
    const path = picturePath({ avatar_url: `https://old.example/storage/v1/object/public/${PATH}` });
    expect(path).toBe(PATH);
    expect(pictureUrl(path, { apiUrl: null, baseURL: '/' })).toBe(`/storage/v1/object/public/${PATH}`);
  });

  it('may be in the bucket of earlier versions', () => {
    const avatar_url = `/storage/v1/object/public/avatars/${ID}/a.png`;
    expect(picturePath({ avatar_url })).toBe(`avatars/${ID}/a.png`);
  });

  it.each([
    [undefined],
    [7],
    ['https://elsewhere.example/me.png'],
    [`/storage/v1/object/public/avatars/${ID}/../x.webp`],
    [`/storage/v1/object/public/${PATH}?x=1`],
    [`/storage/v1/object/public/files/${ID}/a.png`],
    [`/storage/v1/object/public/avatars`],
    [`/storage/v1/object/public/avatars/${ID}/a.svg`],
  ])('is rejected for %j', (avatar_url) => {
    expect(picturePath({ avatar_url })).toBeUndefined();
  });

  it('may be missing', () => {
    expect(pictureUrl(undefined, { apiUrl: null, baseURL: '/' })).toBeUndefined();
  });
});
