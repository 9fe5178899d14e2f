import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../lib/language.ts';
import { pageNameTexts } from '../../texts/page-names.ts';
import { shortcutTexts } from '../../texts/shortcuts.ts';
import { PAGE_LIST } from '../navigation.ts';
import type { ShortcutScope, Viewer } from '../scope.ts';
import { isOfSingleKeys, isOfSite, SHORTCUTS, type ShortcutId, shortcutsFor } from './shortcuts.ts';

describe('the table of shortcuts', () => {
  it('has unique keys of which none is a prefix of another', () => {
    for (const { id, keys } of SHORTCUTS) {
      const clashes = SHORTCUTS.filter((other) => other.id !== id && `${other.keys} `.startsWith(`${keys} `));
      expect(clashes, keys).toEqual([]);
    }
  });

  it.each(LANGUAGES)('has a name for each shortcut in %s', (language) => {
    const ids = SHORTCUTS.map(({ id }) => id);
    const names = { ...shortcutTexts[language].names, ...pageNameTexts[language] };
    expect(Object.keys(names).sort()).toEqual(ids.sort());
  });
});

describe('shortcutsFor', () => {
  /** Ids of the navigation's pages for a scope. */
  const pagesFor = (selected: ShortcutScope) =>
    PAGE_LIST.filter(({ scope }) => scope === selected).map(({ id }) => id);
  const everywhere: ShortcutId[] = ['palette', 'help', 'colourMode', 'notifications'];

  it.each<[string, Viewer, ShortcutId[]]>([
    ['a visitor', { isSignedIn: false, isAdmin: false }, [...everywhere, ...pagesFor('signedOut')]],
    ['a user', { isSignedIn: true, isAdmin: false }, [...everywhere, ...pagesFor('signedIn')]],
    [
      'an admin',
      { isSignedIn: true, isAdmin: true },
      [...everywhere, ...pagesFor('signedIn'), ...pagesFor('admins')],
    ],
  ])('returns the shortcuts of %s', (_name, viewer, ids) => {
    expect(shortcutsFor(viewer).map(({ id }) => id)).toEqual(ids);
  });

  it('adds the shortcuts of a product in the language of the page', () => {
    const shortcut = { keys: 'n', label: { en: 'New', de: 'Neu' }, for: 'signedIn', run: () => {} } as const;
    const added = [shortcut, { ...shortcut, keys: 'p', label: 'Print', for: 'everyone' } as const];
    const own = (isSignedIn: boolean) =>
      shortcutsFor({ isSignedIn, isAdmin: false }, { language: 'de', added }).filter(({ id }) =>
        isOfSite(id),
      );
    expect(own(true).map(({ keys, label, scope }) => [keys, label, scope])).toEqual([
      ['n', 'Neu', 'signedIn'],
      ['p', 'Print', 'everywhere'],
    ]);
    expect(own(false).map(({ keys }) => keys)).toEqual(['p']);
  });
});

describe('isOfSingleKeys', () => {
  it.each([
    ['t', true],
    ['?', true],
    ['g h', true],
    ['Mod+k', false],
    ['F8', false],
    ['g Mod+k', false],
  ])('returns for %s: %s', (keys, expected) => {
    expect(isOfSingleKeys(keys)).toBe(expected);
  });
});
