import { beforeEach, describe, expect, it } from 'vitest';
import { findUnfinished, fingerprintOf, forgetUnfinished } from './unfinished.ts';

const FILE = { name: 'a film.mp4', size: 7, lastModified: 1, type: 'video/mp4' };

/** A window with the storage methods that are needed. */
function newBrowser(): { localStorage: Storage } {
  const items = new Map<string, string>();
  const localStorage = {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  };
  return { localStorage };
}

let browser = newBrowser();

/** Stores an entry in the format of `tus-js-client`. */
function keep(ownerId: string, objectName: unknown, number = 1): string {
  const key = `tus::${fingerprintOf(ownerId, 'films', FILE)}::${number}`;
  browser.localStorage.setItem(key, JSON.stringify({ size: 7, metadata: { objectName } }));
  return key;
}

beforeEach(() => {
  browser = newBrowser();
});

describe('interrupted uploads', () => {
  it('are listed with their names for each user', () => {
    const key = keep('ada', 'ada/films/=C3=BC.mp4');
    keep('bob', 'bob/films/b.mp4');
    expect(findUnfinished(browser, 'ada')).toEqual([{ key, folder: 'films', name: 'ü.mp4' }]);
  });

  it('are skipped if the stored entry is incomplete', () => {
    keep('ada', 7);
    keep('ada', 'bob/films/b.mp4', 2);
    browser.localStorage.setItem(`tus::greenroom-file-ada-x`, 'no JSON');
    expect(findUnfinished(browser, 'ada')).toEqual([]);
  });

  it('are deleted one by one', () => {
    const key = keep('ada', 'ada/films/a.mp4');
    keep('ada', 'ada/films/b.mp4', 2);
    forgetUnfinished(browser, key);
    expect(findUnfinished(browser, 'ada')).toHaveLength(1);
  });

  it('are empty if the browser blocks storage', () => {
    const blocked = {
      get localStorage(): Storage {
        throw new Error('blocked');
      },
    };
    expect(findUnfinished(blocked, 'ada')).toEqual([]);
    expect(() => forgetUnfinished(blocked, 'key')).not.toThrow();
  });
});
