import { describe, expect, it } from 'vitest';
import { consentTexts } from '../../texts/consent.ts';
import { describeScopes, splitScopes } from './describe-scopes.ts';

const texts = consentTexts.en.scopes;

describe('describeScopes', () => {
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
    expect(describeScopes(scopes, texts)).toEqual(words);
  });
});

it.each([
  ['openid  email ', ['openid', 'email']],
  ['', []],
  [undefined, []],
])('splits %j', (text, scopes) => {
  expect(splitScopes(text)).toEqual(scopes);
});
