import { describe, expect, it } from 'vitest';
import { mayReload, RELOAD_KEY, type ReloadingBrowser, reloadOnce } from './reload-guard.ts';

const NOW = 1_000_000;

/** A tab at /here that records its reloads and navigations. */
function tab(stored?: string) {
  const storage = new Map(stored === undefined ? [] : [[RELOAD_KEY, stored]]);
  const happened: string[] = [];
  const browser: ReloadingBrowser = {
    location: {
      href: 'https://app.example/here?x=1',
      origin: 'https://app.example',
      pathname: '/here',
      reload: () => void happened.push('reload'),
      assign: (url) => void happened.push(`assign ${url}`),
    },
    sessionStorage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
    },
  };
  return { browser, happened, storage };
}

describe('mayReload', () => {
  const last = { path: '/a', expires: NOW };
  it.each([
    ['the first reload', undefined, '/a', NOW, true],
    ['the same path before the expiry', last, '/a', NOW, false],
    ['the same path after the expiry', last, '/a', NOW + 1, true],
    ['another path', last, '/b', NOW, true],
  ] as const)('returns for %s: $4', (_name, before, path, now, expected) => {
    expect(mayReload(before, path, now)).toBe(expected);
  });
});

describe('reloadOnce', () => {
  it('reloads the current page and stores that for ten seconds', () => {
    const { browser, happened, storage } = tab();
    expect(reloadOnce(browser, '/here?x=2', NOW)).toBe(true);
    expect(happened).toEqual(['reload']);
    expect(JSON.parse(storage.get(RELOAD_KEY) ?? '')).toEqual({ path: '/here?x=2', expires: NOW + 10_000 });
    expect(reloadOnce(browser, '/here?x=2', NOW + 10_000)).toBe(false);
    expect(reloadOnce(browser, '/here?x=2', NOW + 10_001)).toBe(true);
    expect(happened).toEqual(['reload', 'reload']);
  });

  it('opens another page', () => {
    const { browser, happened } = tab();
    reloadOnce(browser, '/there', NOW);
    expect(happened).toEqual(['assign https://app.example/there']);
  });

  it.each(['garbage', 'null', '{}', '{"path":1,"expires":"x"}'])('ignores %s in the storage', (stored) => {
    const { browser, happened } = tab(stored);
    expect(reloadOnce(browser, '/here', NOW)).toBe(true);
    expect(happened).toEqual(['reload']);
  });

  it('does not reload if the storage is blocked', () => {
    const { browser, happened } = tab();
    browser.sessionStorage.setItem = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    expect(reloadOnce(browser, '/here', NOW)).toBe(false);
    expect(happened).toEqual([]);
  });

  it.each(['https://evil.example/', '//evil.example/x', 'javascript:alert(1)'])('rejects %s', (path) => {
    expect(() => reloadOnce(tab().browser, path, NOW)).toThrow('Not a page of this site');
  });
});
