import { describe, expect, it } from 'vitest';
import { chooseLanguage, languageSearch } from './language.ts';

describe('chooseLanguage', () => {
  it.each([
    [null, null, 'en'],
    [null, '', 'en'],
    [null, 'de', 'de'],
    [null, 'de-AT,de;q=0.9', 'de'],
    [null, 'DE', 'de'],
    [null, 'fr-FR,fr;q=0.9,de;q=0.3', 'de'],
    [null, 'de;q=0.4, en;q=0.8', 'en'],
    [null, 'en, de', 'en'],
    [null, 'de;q=0', 'en'],
    [null, 'de;q=many', 'en'],
    [null, '*', 'en'],
    ['de', 'en', 'de'],
    ['en', 'de', 'en'],
    ['fr', 'de', 'de'],
    ['', 'de', 'de'],
  ] as const)('returns for the choice %o and the header %o: %s', (chosen, accepted, expected) => {
    expect(chooseLanguage({ chosen, accepted })).toBe(expected);
  });
});

describe('languageSearch', () => {
  it.each([
    ['', 'de', '?lang=de'],
    ['?mode=sign-up', 'de', '?mode=sign-up&lang=de'],
    ['?lang=de&page=2', 'en', '?lang=en&page=2'],
  ] as const)('returns for %o and %s: %s', (search, language, expected) => {
    expect(languageSearch(search, language)).toBe(expected);
  });
});
