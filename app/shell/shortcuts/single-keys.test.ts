import { describe, expect, it } from 'vitest';
import { areSingleKeysOn, setSingleKeys } from './single-keys.ts';

/** A window with its own storage, or with blocked storage. */
function browser(isBlocked = false): Window {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  return {
    get localStorage() {
      if (isBlocked) throw new Error('blocked');
      return storage;
    },
  } as unknown as Window;
}

describe('single keys', () => {
  it('are on until they are turned off, and can be turned on again', () => {
    const window = browser();
    expect(areSingleKeysOn(window)).toBe(true);
    setSingleKeys(window, false);
    expect(areSingleKeysOn(window)).toBe(false);
    setSingleKeys(window, true);
    expect(areSingleKeysOn(window)).toBe(true);
  });

  it('stay on if storage is blocked', () => {
    const window = browser(true);
    setSingleKeys(window, false);
    expect(areSingleKeysOn(window)).toBe(true);
  });
});
