import { countUnsentEdits, deleteUnsentEdits } from 'greenroom/app';
import { describe, expect, it } from 'vitest';
import { newEditId, openEditStorage } from './edit-storage.ts';
import { aChange, aDelete, anAdd } from './testing.ts';

/** A window with a working storage. */
function newBrowser() {
  const entries = new Map<string, string>();
  const localStorage = {
    get length() {
      return entries.size;
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  return { browser: { localStorage } as unknown as Window, entries };
}

describe('openEditStorage', () => {
  it('saves new and changed edits and deletes missing ones', () => {
    const { browser } = newBrowser();
    const storage = openEditStorage(browser, 'ada');
    const [add, change] = [anAdd(), aChange()];
    storage.save([], [add, change]);
    expect(storage.load()).toEqual([add, change]);
    const another = aChange({ text: 'another' });
    storage.save([add, change], [another]);
    expect(storage.load()).toEqual([another]);
    storage.save([another], []);
    expect(storage.load()).toEqual([]);
  });

  it('loads edits in the order of their creation', () => {
    const storage = openEditStorage(newBrowser().browser, 'ada');
    const [first, second, third] = [9, 80, 700].map((now) => aDelete({ id: newEditId(now, 'r') }));
    if (!first || !second || !third) throw new Error('three edits');
    storage.save([], [third, first, second]);
    expect(storage.load()).toEqual([first, second, third]);
  });

  it('ignores entries of other users, other tabs and other keys', () => {
    const { browser, entries } = newBrowser();
    entries.set('something', 'else');
    const [ada, bob] = [openEditStorage(browser, 'ada'), openEditStorage(browser, 'bob')];
    ada.save([], [anAdd()]);
    expect(bob.load()).toEqual([]);
    openEditStorage(browser, 'ada').save([], [aChange()]);
    expect(ada.load()).toEqual([anAdd(), aChange()]);
    expect(entries.get('something')).toBe('else');
  });

  it('counts and deletes edits of one user or of all users', () => {
    const { browser, entries } = newBrowser();
    entries.set('something', 'else');
    for (const name of ['ada', 'bob', 'carol']) openEditStorage(browser, name).save([], [anAdd(), aChange()]);
    expect([countUnsentEdits(browser, 'ada'), countUnsentEdits(browser)]).toEqual([2, 6]);
    deleteUnsentEdits(browser, 'ada');
    expect([countUnsentEdits(browser, 'ada'), countUnsentEdits(browser)]).toEqual([0, 4]);
    deleteUnsentEdits(browser);
    expect([...entries.keys()]).toEqual(['something']);
  });

  it('skips entries that it cannot parse', () => {
    const { browser, entries } = newBrowser();
    entries.set('greenroom-board-edit-ada-1', '{');
    expect(openEditStorage(browser, 'ada').load()).toEqual([]);
  });

  it('works without storage if it is blocked or full', () => {
    const blocked = {
      get localStorage(): Storage {
        throw new DOMException('blocked', 'SecurityError');
      },
    };
    const storage = openEditStorage(blocked, 'ada');
    storage.save([], [anAdd()]);
    expect(storage.load()).toEqual([]);
    deleteUnsentEdits(blocked, 'ada');
    expect(countUnsentEdits(blocked, 'ada')).toBe(0);
  });
});
