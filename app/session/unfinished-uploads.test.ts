import { expect, it } from 'vitest';
import { forgetAllUnfinished, unfinishedUploadKeys, uploadFingerprint } from './unfinished-uploads.ts';

/** A window with the storage methods that are needed. */
function newBrowser(keys: readonly string[]): { localStorage: Storage } {
  const items = new Set(keys);
  const localStorage = {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items][index] ?? null,
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage;
  return { localStorage };
}

const keyOf = (ownerId: string, ...parts: (string | number)[]) =>
  `tus::${uploadFingerprint(ownerId, parts)}::1`;

it('forgets the interrupted uploads of one user, or of all users', () => {
  const browser = newBrowser([keyOf('ada', 'a b', 1), keyOf('bob', 'c'), keyOf('ada', 'd'), 'other']);
  expect(unfinishedUploadKeys(browser, 'ada')).toEqual([
    'tus::greenroom-file-ada-a%20b-1::1',
    'tus::greenroom-file-ada-d::1',
  ]);
  forgetAllUnfinished(browser, 'ada');
  expect(unfinishedUploadKeys(browser)).toEqual([keyOf('bob', 'c')]);
  forgetAllUnfinished(browser);
  expect(unfinishedUploadKeys(browser)).toEqual([]);
  expect(browser.localStorage.length).toBe(1);
});

it('finds no interrupted uploads if the browser blocks storage', () => {
  const blocked = {
    get localStorage(): Storage {
      throw new Error('blocked');
    },
  };
  expect(unfinishedUploadKeys(blocked)).toEqual([]);
  expect(() => forgetAllUnfinished(blocked)).not.toThrow();
});
