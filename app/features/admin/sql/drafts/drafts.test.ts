import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Draft,
  newDraft,
  readActive,
  readDrafts,
  removeDraft,
  writeActive,
  writeDraft,
} from './drafts.ts';

const ADA = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';

class MemoryStorage {
  readonly #entries = new Map<string, string>();
  get length() {
    return this.#entries.size;
  }
  key(index: number) {
    return [...this.#entries.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#entries.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.#entries.set(key, value);
  }
  removeItem(key: string) {
    this.#entries.delete(key);
  }
  clear() {
    this.#entries.clear();
  }
}

let browser: { localStorage: Storage; sessionStorage: Storage };
beforeEach(() => {
  browser = { localStorage: new MemoryStorage(), sessionStorage: new MemoryStorage() };
});

const draft = (fields: Partial<Draft>): Draft => ({ ...newDraft(), ...fields });

describe('drafts', () => {
  it('returns the drafts of one account, oldest first', () => {
    const second = draft({ createdAt: 2, sql: 'select 2' });
    const first = draft({ createdAt: 1, sql: 'select 1' });
    for (const each of [second, first]) writeDraft(browser, ADA, each);
    writeDraft(browser, BOB, draft({}));
    expect(readDrafts(browser, ADA)).toEqual([first, second]);
  });

  it('keeps other drafts when one is changed or removed', () => {
    const [one, two] = [draft({ createdAt: 1 }), draft({ createdAt: 2 })];
    for (const each of [one, two]) writeDraft(browser, ADA, each);
    writeDraft(browser, ADA, { ...one, sql: 'select 1' });
    removeDraft(browser, ADA, two.id);
    expect(readDrafts(browser, ADA)).toEqual([{ ...one, sql: 'select 1' }]);
  });

  it('skips damaged entries', () => {
    for (const [index, text] of ['{', 'null', '{"id":1}', '[]'].entries())
      browser.localStorage.setItem(`greenroom-sql-${ADA}-${index}`, text);
    expect(readDrafts(browser, ADA)).toEqual([]);
  });

  it('reports that a full storage has not stored a draft', () => {
    browser.localStorage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect(writeDraft(browser, ADA, draft({}))).toBe(false);
  });

  it('remembers the shown draft of a window, and that of the last window for a new one', () => {
    writeActive(browser, ADA, 'one');
    const other = { localStorage: browser.localStorage, sessionStorage: new MemoryStorage() };
    expect(readActive(other, ADA)).toBe('one');
    writeActive(other, ADA, 'two');
    expect([readActive(browser, ADA), readActive(other, ADA)]).toEqual(['one', 'two']);
  });
});
