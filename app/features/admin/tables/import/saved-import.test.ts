import { describe, expect, it } from 'vitest';
import { isSameFile, loadImport, type SavedImport, saveImport } from './saved-import.ts';

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const saved: SavedImport = {
  auditId: '7',
  file: { name: 'a.csv', size: 3, lastModified: 5 },
  mapping: ['id', null],
  empty: 'null',
};

describe('a saved import', () => {
  it('belongs to its table until it is forgotten', () => {
    const store = memory();
    saveImport(store, 'public.a', saved);
    expect([loadImport(store, 'public.a'), loadImport(store, 'public.b')]).toEqual([saved, undefined]);
    saveImport(store, 'public.a', undefined);
    expect(loadImport(store, 'public.a')).toBeUndefined();
  });

  it.each(['null', '{}', '{', '{"auditId": 7}'])('is ignored if it is %s', (text) => {
    expect(loadImport({ ...memory(), getItem: () => text }, 'public.a')).toBeUndefined();
  });

  it('continues with the same file only', () => {
    expect(isSameFile(saved, saved.file)).toBe(true);
    expect(isSameFile(saved, { ...saved.file, size: 4 })).toBe(false);
    expect(isSameFile(saved, { ...saved.file, lastModified: 6 })).toBe(false);
  });
});
