import { describe, expect, it } from 'vitest';
import { consentTexts } from '../../texts/consent.ts';
import { scopeWords, splitScopes } from './scope-words.ts';

const texts = consentTexts.en.scopes;

describe('scopeWords', () => {
  it.each([
    [
      ['openid', 'email'],
      [texts.openid, texts.email],
    ],
    [['email', 'email'], [texts.email]],
    [
      ['notes:read', 'toString'],
      ['notes:read', 'toString'],
    ],
    [['x'.repeat(100)], ['x'.repeat(60)]],
    [[], []],
  ])('describes %j', (scopes, words) => {
    expect(scopeWords(scopes, texts)).toEqual(words);
  });
});

it.each([
  ['openid  email ', ['openid', 'email']],
  ['', []],
  [undefined, []],
])('splits %j', (text, scopes) => {
  expect(splitScopes(text)).toEqual(scopes);
});
