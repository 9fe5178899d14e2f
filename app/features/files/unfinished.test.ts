import { beforeEach, describe, expect, it } from 'vitest';
import {
  findUnfinished,
  fingerprintOf,
  forgetAllUnfinished,
  forgetUnfinished,
} from '../../session/unfinished-uploads.ts';

const FILE = { name: 'a film.mp4', size: 7, lastModified: 1, type: 'video/mp4' };

/** A browser's storage, as far as it is needed. */
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

/** As `tus-js-client` keeps it. */
function keep(ownerId: string, objectName: unknown, number = 1): string {
  const key = `tus::${fingerprintOf(ownerId, 'films', FILE)}::${number}`;
  browser.localStorage.setItem(key, JSON.stringify({ size: 7, metadata: { objectName } }));
  return key;
}

beforeEach(() => {
  browser = newBrowser();
});

describe('uploads that were broken off', () => {
  it('are found with their names, each person’s own', () => {
    const key = keep('ada', 'ada/films/=C3=BC.mp4');
    keep('bob', 'bob/films/b.mp4');
    expect(findUnfinished(browser, 'ada')).toEqual([{ key, folder: 'films', name: 'ü.mp4' }]);
  });

  it('are left out where what is kept says nothing', () => {
    keep('ada', 7);
    keep('ada', 'bob/films/b.mp4', 2);
    browser.localStorage.setItem(`tus::greenroom-file-ada-x`, 'no JSON');
    expect(findUnfinished(browser, 'ada')).toEqual([]);
  });

  it('are forgotten one by one, of a person, or all', () => {
    const key = keep('ada', 'ada/films/a.mp4');
    keep('ada', 'ada/films/b.mp4', 2);
    keep('bob', 'bob/films/b.mp4');
    browser.localStorage.setItem('other', 'stays');
    forgetUnfinished(browser, key);
    expect(findUnfinished(browser, 'ada')).toHaveLength(1);
    forgetAllUnfinished(browser, 'ada');
    expect(findUnfinished(browser, 'ada')).toEqual([]);
    expect(findUnfinished(browser, 'bob')).toHaveLength(1);
    forgetAllUnfinished(browser);
    expect(browser.localStorage.length).toBe(1);
  });

  it('say nothing where the browser lets nobody store anything', () => {
    const blocked = {
      get localStorage(): Storage {
        throw new Error('blocked');
      },
    };
    expect(findUnfinished(blocked, 'ada')).toEqual([]);
    expect(() => forgetAllUnfinished(blocked)).not.toThrow();
  });
});
