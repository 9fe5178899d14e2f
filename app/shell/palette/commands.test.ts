import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../lib/language.ts';
import { navigationTexts } from '../../texts/navigation.ts';
import { pageNameTexts } from '../../texts/page-names.ts';
import { paletteTexts } from '../../texts/palette.ts';
import { PAGE_LIST } from '../navigation.ts';
import type { ShortcutScope } from '../scope.ts';
import { listCommands, type PaletteContext } from './commands.ts';

const context: PaletteContext = {
  isSignedIn: true,
  isAdmin: false,
  language: 'en',
  page: '/elsewhere',
  login: '/login',
  colour: { preference: 'light', forced: undefined },
};

/** Commands of the navigation's pages for a scope. */
const pagesFor = (selected: ShortcutScope) =>
  PAGE_LIST.filter(({ scope }) => scope === selected).map(({ id }) => `go ${id}`);

const COLOURS = ['colours system', 'colours light', 'colours dark'];
const SIGN_OUTS = ['sign-out local', 'sign-out others', 'sign-out global'];
const REST = ['language en', 'language de', 'help'];

describe('listCommands', () => {
  it.each<[string, Partial<PaletteContext>, string[]]>([
    ['a user', {}, [...pagesFor('signedIn'), ...SIGN_OUTS, ...COLOURS, ...REST]],
    [
      'an admin',
      { isAdmin: true },
      [...pagesFor('signedIn'), ...pagesFor('admins'), ...SIGN_OUTS, ...COLOURS, ...REST],
    ],
    ['a visitor', { isSignedIn: false }, [...pagesFor('signedOut'), ...COLOURS, ...REST]],
    [
      'a user with a forced colour mode',
      { colour: { preference: 'light', forced: 'dark' } },
      [...pagesFor('signedIn'), ...SIGN_OUTS, ...REST],
    ],
    ['a user before hydration', { colour: undefined }, [...pagesFor('signedIn'), ...SIGN_OUTS, ...REST]],
  ])('offers to %s the available commands', (_name, change, ids) => {
    expect(listCommands({ ...context, ...change }).map(({ id }) => id)).toEqual(ids);
  });

  const find = (id: string, change: Partial<PaletteContext> = {}) =>
    listCommands({ ...context, ...change }).find((command) => command.id === id);

  it('uses the language of the page and can be searched in all languages', () => {
    expect(find('sign-out global', { language: 'de' })).toMatchObject({
      label: 'Überall abmelden',
      words: expect.arrayContaining(['Sign out everywhere', 'Überall abmelden']),
    });
  });

  it('labels each language in that language', () => {
    expect(find('language de')).toMatchObject({ label: 'Deutsch', labelLanguage: 'de', isCurrent: false });
    expect(find('language en')).toMatchObject({ label: 'English', labelLanguage: 'en', isCurrent: true });
  });

  it.each(LANGUAGES)('uses the names of the navigation in %s', (language) => {
    const { home, signOut } = navigationTexts[language];
    const { signOut: signOuts } = paletteTexts[language];
    expect(pageNameTexts[language].home.label).toBe(home);
    expect(Object.values(signOuts).map(({ label }) => label)).toEqual(Object.values(signOut));
  });

  it.each<[string, Partial<PaletteContext>, boolean]>([
    ['colours light', {}, true],
    ['colours dark', {}, false],
    ['go home', {}, false],
    ['go home', { page: '/' }, true],
    ['go signIn', { isSignedIn: false, page: '/login' }, true],
    ['go signIn', { isSignedIn: false, page: '/login?mode=sign-up' }, false],
    ['go signUp', { isSignedIn: false, page: '/login?mode=sign-up' }, true],
  ])('marks the active state: %s, %j, %s', (id, change, isCurrent) => {
    expect(find(id, change)).toMatchObject({ isCurrent });
  });

  it('starts with a harmless command, since Enter selects it first', () => {
    for (const isSignedIn of [true, false]) {
      expect(listCommands({ ...context, isSignedIn })[0]?.action.kind).toBe('go');
    }
  });

  it.each([
    ['go home', 'g h'],
    ['help', '?'],
    ['sign-out local', undefined],
  ])('contains the keys of %s: %s', (id, keys) => {
    expect(find(id)?.keys).toBe(keys);
  });

  it('opens the sign-in page of the site', () => {
    const change = { isSignedIn: false, login: '/door' };
    expect(find('go signUp', change)?.action).toEqual({ kind: 'go', to: '/door?mode=sign-up' });
  });
});
