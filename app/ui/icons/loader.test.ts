import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as CONSTANTS from '../../constants.ts';
import { createIconLoader } from './loader.ts';

const folder = 'https://app.example/api/_icons/';
const shape = (name: string) => ({ body: `<path id="${name}"/>`, width: 24, height: 24 });

/** A document with these ids, and a server with these icons; the first `failures` requests fail. */
function setUp({ ids = [] as string[], icons = ['check', 'sun'], failures = 0 } = {}) {
  const requests: string[] = [];
  const inserted: string[] = [];
  const request = createIconLoader({
    folder,
    isPresent: (id) => ids.includes(id),
    insert: (symbol) => void inserted.push(symbol),
    async fetch(url) {
      requests.push(String(url));
      if (requests.length <= failures) return new Response('', { status: 404 });
      return Response.json({ icons: Object.fromEntries(icons.map((name) => [name, shape(name)])) });
    },
  });
  return { requests, inserted, request };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('createIconLoader', () => {
  it('requests the icons of one tick together', async () => {
    const { requests, inserted, request } = setUp();
    request('lucide:sun');
    request('lucide:check');
    request('lucide:sun');
    expect(requests).toEqual([]);
    await vi.runAllTimersAsync();
    expect(requests).toEqual([`${folder}lucide.json?icons=check,sun`]);
    expect(inserted).toEqual([
      '<symbol id="i-lucide-check" viewBox="0 0 24 24"><path id="check"/></symbol>',
      '<symbol id="i-lucide-sun" viewBox="0 0 24 24"><path id="sun"/></symbol>',
    ]);
  });

  it('requests no icon that is present', async () => {
    const { requests, request } = setUp({ ids: ['i-lucide-sun'] });
    request('lucide:sun');
    await vi.runAllTimersAsync();
    expect(requests).toEqual([]);
  });

  it('requests each icon once, also missing ones', async () => {
    const { requests, inserted, request } = setUp({ icons: [] });
    for (let time = 0; time < 3; time++) {
      request('lucide:nothing');
      await vi.runAllTimersAsync();
    }
    expect(requests).toHaveLength(1);
    expect(inserted).toEqual([]);
  });

  it('requests again after a failure', async () => {
    const { requests, inserted, request } = setUp({ failures: 1 });
    request('lucide:sun');
    await vi.runAllTimersAsync();
    expect(inserted).toEqual([]);
    request('lucide:sun');
    await vi.runAllTimersAsync();
    expect(requests).toHaveLength(2);
    expect(inserted).toHaveLength(1);
  });

  it(`aborts its request after ${CONSTANTS.icon.requestTimeout} ms`, async () => {
    vi.useRealTimers();
    const timeouts = vi.spyOn(AbortSignal, 'timeout');
    const { requests, request } = setUp();
    request('lucide:sun');
    await expect.poll(() => requests).toHaveLength(1);
    expect(timeouts).toHaveBeenCalledWith(1500);
    timeouts.mockRestore();
  });
});
