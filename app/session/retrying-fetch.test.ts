import { describe, expect, it } from 'vitest';
import { retryingFetch } from './retrying-fetch.ts';

const URL_UNDER_TEST = 'http://backend.invalid/auth/v1/user?secret=1';

/** A fetch that fails `failures` times and then responds with `status`, with a record of its calls. */
function rig(failures: number, status = 200) {
  const seen = { calls: 0, waits: [] as number[], givenUp: [] as unknown[] };
  const fetch = retryingFetch({
    fetch: async () => {
      seen.calls++;
      if (seen.calls <= failures) throw new TypeError(`failure ${seen.calls}`);
      return new Response(null, { status });
    },
    wait: async (milliseconds) => void seen.waits.push(milliseconds),
    onGiveUp: (failure) => void seen.givenUp.push(failure),
  });
  return { fetch, seen };
}

describe('retryingFetch', () => {
  it.each([
    [0, 200, 1, []],
    [1, 200, 2, [100]],
    [2, 200, 3, [100, 200]],
    [0, 500, 1, []],
    [0, 503, 1, []],
    [0, 429, 1, []],
  ])('makes after %i failures and status %i: %i calls', async (failures, status, calls, waits) => {
    const { fetch, seen } = rig(failures, status);
    expect((await fetch(URL_UNDER_TEST)).status).toBe(status);
    expect(seen).toEqual({ calls, waits, givenUp: [] });
  });

  it('rejects after three attempts with the last error and reports no headers or query', async () => {
    const { fetch, seen } = rig(3);
    await expect(fetch(URL_UNDER_TEST, { method: 'POST', headers: { apikey: 'x' } })).rejects.toThrow(
      'failure 3',
    );
    expect(seen.waits).toEqual([100, 200]);
    expect(seen.givenUp).toEqual([
      { method: 'POST', url: 'http://backend.invalid/auth/v1/user', error: new TypeError('failure 3') },
    ]);
  });

  it.each<[string, (signal: AbortSignal) => Parameters<typeof globalThis.fetch>]>([
    ['init', (signal) => [URL_UNDER_TEST, { signal }]],
    ['request', (signal) => [new Request(URL_UNDER_TEST, { signal })]],
  ])('stops immediately if the signal of the %s is aborted', async (_where, makeCall) => {
    const { fetch, seen } = rig(3);
    await expect(fetch(...makeCall(AbortSignal.abort()))).rejects.toThrow('failure 1');
    expect(seen).toEqual({ calls: 1, waits: [], givenUp: [] });
  });

  it('stops immediately on an AbortError of fetch', async () => {
    let calls = 0;
    const fetch = retryingFetch({
      fetch: async () => {
        calls += 1;
        throw new DOMException('enough', 'AbortError');
      },
    });
    await expect(fetch(URL_UNDER_TEST)).rejects.toThrow('enough');
    expect(calls).toBe(1);
  });
});
