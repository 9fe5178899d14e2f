import { describe, expect, it } from 'vitest';
import { countRiddles, excessOf } from './plain-english.ts';

describe('countRiddles', () => {
  it('counts words in comments of code, not in code', () => {
    // The comment is in parts, so that the check of this file does not count it.
    const comment = ['/', '* What is left of whatever *', '/'].join('');
    const text = `const whoever = 1; ${comment} call('nobody');`;
    expect(countRiddles([{ path: 'a.ts', text }])).toEqual({
      words: 7,
      found: {
        'pronouns without a noun': 1,
        'told and tells': 0,
        'phrases of translations': 0,
        'clauses as nouns': 1,
      },
    });
  });

  it('counts words in whole documents', () => {
    const { words, found } = countRiddles([{ path: 'a.md', text: 'Somebody besides nobody begins anew.' }]);
    expect(words).toBe(5);
    expect(found).toMatchObject({ 'pronouns without a noun': 2, 'phrases of translations': 2 });
  });
});

describe('excessOf', () => {
  it('accepts a single occurrence in a few words', () => {
    expect(excessOf({ words: 10, found: { 'told and tells': 1 } })).toEqual([]);
  });

  it('accepts fewer than two in 10,000 words', () => {
    expect(excessOf({ words: 100_000, found: { 'told and tells': 19 } })).toEqual([]);
  });

  it('reports two in 10,000 words', () => {
    const found = { 'told and tells': 20 };
    expect(excessOf({ words: 100_000, found })).toEqual(['2.0 of 10,000 words are told and tells']);
  });
});
