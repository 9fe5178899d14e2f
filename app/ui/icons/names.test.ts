import { describe, expect, it } from 'vitest';
import { loadCollections } from './collections.ts';
import { COLLECTIONS, ICONS, isSimpleName, resolveIcon, symbolId } from './names.ts';

describe('resolveIcon', () => {
  it.each([
    ['check', 'lucide:check'],
    ['close', 'lucide:x'],
    ['lucide:sun', 'lucide:sun'],
    ['other:sun', 'other:sun'],
    ['i-lucide-arrow-left', 'lucide:arrow-left'],
    ['lucide-arrow-left', 'lucide:arrow-left'],
    ['greenroom-google', 'greenroom:google'],
    ['nothing', 'nothing'],
    ['toString', 'toString'],
  ])('resolves %s to %s', (name, expected) => {
    expect(resolveIcon(name)).toBe(expected);
  });
});

describe('the app’s names', () => {
  it.each(Object.entries(ICONS))('map %s to the existing icon %s', async (_name, fullName) => {
    const collections = await loadCollections();
    expect(collections.find(fullName)?.body).toContain('<');
  });
});

describe('isSimpleName', () => {
  it.each([
    ['arrow-left', true],
    ['a1', true],
    ['', false],
    ['-a', false],
    ['a--b', false],
    ['A', false],
    ['../a', false],
    ['a:b', false],
  ])('returns for %s: %s', (name, expected) => {
    expect(isSimpleName(name)).toBe(expected);
  });
});

describe('symbolId', () => {
  it('differs for different icons', () => {
    const ids = Object.values(ICONS).map(symbolId);
    expect(new Set(ids).size).toBe(new Set(Object.values(ICONS)).size);
    expect(COLLECTIONS).toEqual([...COLLECTIONS].sort((a, b) => b.length - a.length));
  });
});
