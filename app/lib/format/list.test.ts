import { describe, expect, it } from 'vitest';
import { formatList } from './list.ts';

describe('formatList', () => {
  it.each([
    [[], 'en', ''],
    [['Ada'], 'en', 'Ada'],
    [['Ada', 'Bob'], 'en', 'Ada and Bob'],
    [['Ada', 'Bob', 'Carol'], 'de', 'Ada, Bob und Carol'],
  ])('joins %j in %s to %j', (names, language, text) => {
    expect(formatList(names, language)).toBe(text);
  });
});
