import { beforeEach, describe, expect, it } from 'vitest';
import type { Payload } from '../../lib/payload/payload.ts';
import { createPayloadStore, PREFETCHED_FOR_MS } from '../../lib/payload/payload-store.ts';

let time = 0;
let requests: string[] = [];
let failing = new Set<string>();

/** Each fetch returns another payload. */
async function fetchPayload(page: string): Promise<Payload> {
  requests.push(page);
  if (failing.has(page)) throw new Error('no answer');
  return {
    data: { count: requests.length },
    state: { language: 'en' },
    path: page,
    serverRendered: true,
    buildId: 'x',
  };
}

const newStore = () => createPayloadStore(fetchPayload, { now: () => time });

beforeEach(() => {
  time = 0;
  requests = [];
  failing = new Set();
});

describe('createPayloadStore', () => {
  it('fetches every time if nothing was prefetched', async () => {
    const store = newStore();
    expect((await store.consume('/a')).data).toEqual({ count: 1 });
    expect((await store.consume('/a')).data).toEqual({ count: 2 });
  });

  it('returns a prefetched payload once', async () => {
    const store = newStore();
    store.prefetch('/a');
    expect((await store.consume('/a')).data).toEqual({ count: 1 });
    expect((await store.consume('/a')).data).toEqual({ count: 2 });
  });

  it('prefetches once for repeated calls', () => {
    const store = newStore();
    store.prefetch('/a');
    store.prefetch('/a');
    expect(requests).toEqual(['/a']);
  });

  it.each([
    [PREFETCHED_FOR_MS - 1, ['/a']],
    [PREFETCHED_FOR_MS, ['/a', '/a']],
  ])('after %i ms, has requested %j', async (delayMs, expected) => {
    const store = newStore();
    store.prefetch('/a');
    time = delayMs;
    await store.consume('/a');
    expect(requests).toEqual(expected);
  });

  it('removes all payloads on clear', async () => {
    const store = newStore();
    store.prefetch('/a');
    store.clear();
    expect((await store.consume('/a')).data).toEqual({ count: 2 });
  });

  it('fetches again after a failure', async () => {
    const store = newStore();
    failing.add('/a');
    store.prefetch('/a');
    await Promise.resolve();
    await Promise.resolve();
    failing.clear();
    expect((await store.consume('/a')).data).toEqual({ count: 2 });
  });

  it('returns a payload that was stored with keep', async () => {
    const store = newStore();
    const payload = await fetchPayload('/b');
    store.put('/a', payload);
    expect(await store.consume('/a')).toBe(payload);
  });

  it('keeps eight payloads', async () => {
    const store = newStore();
    for (let count = 1; count <= 9; count++) store.prefetch(`/${count}`);
    await store.consume('/9');
    expect(requests).toHaveLength(9);
    await store.consume('/1');
    expect(requests).toHaveLength(10);
  });
});
