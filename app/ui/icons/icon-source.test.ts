import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as CONSTANTS from '../../constants.ts';
import { type Collections, loadCollections } from './collections.ts';
import { createIconSource } from './icon-source.ts';

const warnings: string[] = [];
const log = {
  info() {},
  error() {},
  warn: (_details: object, message: string) => void warnings.push(message),
};

beforeEach(() => {
  warnings.length = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

describe('createIconSource', () => {
  it('returns symbols after its collections are loaded, and is then ready without a promise', async () => {
    vi.useRealTimers();
    const source = createIconSource(log);
    await source.ready;
    expect(source.ready).toBeUndefined();
    expect(source.symbolOf('lucide:check')).toMatch(/^<symbol id="i-lucide-check" viewBox="0 0 24 24"><path/);
    expect(source.symbolOf('lucide:no-such-icon')).toBeUndefined();
  });

  it(`lets pages wait at most ${CONSTANTS.icon.requestTimeout} ms`, async () => {
    const collections = await loadCollections();
    let arrive = (_collections: Collections) => {};
    const source = createIconSource(log, () => new Promise((resolve) => (arrive = resolve)));
    let isReady = false;
    void source.ready?.then(() => (isReady = true));
    await vi.advanceTimersByTimeAsync(1499);
    expect(isReady).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isReady).toBe(true);
    expect(source.symbolOf('lucide:check')).toBeUndefined();
    expect(warnings).toEqual(['icons are late: pages go out without them']);
    arrive(collections);
    await vi.advanceTimersByTimeAsync(0);
    expect(source.symbolOf('lucide:check')).toContain('<symbol');
  });

  it('continues without icons if they cannot be read', async () => {
    const source = createIconSource(log, () => Promise.reject(new Error('gone')));
    await source.ready;
    expect(source.symbolOf('lucide:check')).toBeUndefined();
    expect(warnings).toEqual(['icons cannot be read: pages go out without them']);
  });
});
