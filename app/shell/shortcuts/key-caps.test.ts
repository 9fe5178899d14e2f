import { describe, expect, it } from 'vitest';
import { keyTexts } from '../../texts/keys.ts';
import { type KeyCap, keyCaps } from './key-caps.ts';

const command: KeyCap = { sign: '⌘', label: 'Command' };

describe('keyCaps', () => {
  it.each<[string, boolean, 'en' | 'de', KeyCap[][]]>([
    ['Mod+k', false, 'en', [[{ sign: 'Ctrl' }, { sign: 'K' }]]],
    ['Mod+k', false, 'de', [[{ sign: 'Strg' }, { sign: 'K' }]]],
    ['Mod+k', true, 'en', [[command, { sign: 'K' }]]],
    ['Mod+k', true, 'de', [[{ ...command, label: 'Befehl' }, { sign: 'K' }]]],
    ['g h', false, 'en', [[{ sign: 'G' }], [{ sign: 'H' }]]],
    ['?', true, 'en', [[{ sign: '?' }]]],
    ['F8', false, 'de', [[{ sign: 'F8' }]]],
  ])('returns for %s, Apple %s: %s', (keys, isApple, language, caps) => {
    expect(keyCaps(keys, { isApple, words: keyTexts[language] })).toEqual(caps);
  });
});
