import { describe, expect, it } from 'vitest';
import { listCommands } from './commands.ts';
import { searchCommands } from './search-commands.ts';

const commands = listCommands({
  isSignedIn: true,
  isAdmin: true,
  language: 'de',
  page: '/elsewhere',
  login: '/login',
  colour: { preference: 'system', forced: undefined },
});

const search = (query: string) => searchCommands(commands, query).map(({ id }) => id);

describe('searchCommands', () => {
  it('returns all commands in their order for an empty query', () => {
    expect(search('')).toEqual(commands.map(({ id }) => id));
    expect(search(' ')).toEqual(commands.map(({ id }) => id));
  });

  it.each([
    ['a label', 'komponenten', ['go components']],
    ['the beginning of a label', 'kompo', ['go components']],
    ['several words in any order', 'geräte andere', ['sign-out others']],
    ['the label of another language', 'sign out everywhere', ['sign-out global']],
    ['a synonym of this language', 'handy', ['sign-out others']],
    ['a synonym of another language', 'hotkeys', ['help']],
    ['capital letters', 'KOMPONENTEN', ['go components']],
    ['umlauts', 'überall', ['sign-out global']],
    ['umlauts without dots', 'uberall', ['sign-out global']],
    ['umlauts as two letters', 'ueberall', ['sign-out global']],
    ['decomposed umlauts', 'u\u0308berall', ['sign-out global']],
    ['the middle of a word', 'bibli', ['go components']],
    ['the middle of a word with fewer than three letters', 'io', []],
    ['words with punctuation', 'sign-out / everywhere!', ['sign-out global']],
    ['an unknown word', 'pelican', []],
    ['a known and an unknown word', 'komponenten pelican', []],
    ['punctuation only', '???', commands.map(({ id }) => id)],
  ])('finds by %s: $2', (_name, query, ids) => {
    expect(search(query)).toEqual(ids);
  });

  it.each([
    ['a label before synonyms', 'design', undefined, 'go components'],
    ['a label before the middle of words', 'dunkle', 'colours dark', 'colours dark'],
    ['a language by its own name', 'english', 'language en', 'language en'],
  ])('ranks %s', (_name, query, first, among) => {
    const found = search(query);
    expect(found).toContain(among);
    if (first) expect(found[0]).toBe(first);
  });

  it.each(['Farbmodus', 'theme', 'color', 'colour'])('finds all colour modes by %s', (query) => {
    expect(search(query)).toEqual(['colours system', 'colours light', 'colours dark']);
  });

  it.each(['language', 'Sprache'])('finds all languages by %s', (query) => {
    expect(search(query)).toEqual(['language en', 'language de']);
  });
});
