import { readFile } from 'node:fs/promises';
import { createClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as CONSTANTS from './constants.ts';

const {
  cookie,
  tokenRefresh,
  backendFetch,
  auth,
  realtime,
  storage,
  icon,
  reloadGuard,
  toast,
  tooltip,
  avatar,
} = CONSTANTS;

/** The rows of the specification's table, built from the app's constants. */
const ROWS: [constant: string, value: string][] = [
  [
    'Cookie path / sameSite / max age / chunk size',
    `${cookie.path} / ${cookie.sameSite} / ${cookie.maxAgeSeconds / 86_400} days / ${cookie.chunkCharacters}`,
  ],
  [
    'Token refresh retry backoff',
    `${tokenRefresh.firstBackoff} ms, ${tokenRefresh.backoffFactor === 2 ? 'doubled' : 'changed'} each attempt`,
  ],
  ['Fetch retries on network failure', `${backendFetch.attempts}`],
  ['Auth retry interval and retries', `${auth.retryInterval} ms, ${auth.retries}`],
  ['Realtime request timeout', `${realtime.requestTimeout} ms`],
  ['Heartbeat interval', `${realtime.heartbeat} ms`],
  [
    'Reconnect backoff',
    `${realtime.reconnectAfter.slice(0, -1).join(', ')}, then ${realtime.reconnectAfter.at(-1)} ms`,
  ],
  [
    'Storage listing default',
    `limit ${storage.list.limit}, offset ${storage.list.offset}, sort by ${storage.list.sortBy.column} ${
      storage.list.sortBy.order === 'asc' ? 'ascending' : 'descending'
    }`,
  ],
  ['Storage cache-control default', `${storage.cacheControlSeconds} s`],
  ['Icon request timeout', `${icon.requestTimeout} ms, ${icon.idleSlice} ms idle slices`],
  ['Icon request URL length cap', `${icon.maxUrlCharacters} characters`],
  ['Reload guard TTL', `${reloadGuard.ttl / 1000} s`],
  [
    'Toast duration / max kept / removal after close',
    `${toast.duration} ms / ${toast.max} / ${toast.removalDelay} ms`,
  ],
  ['Toast swipe threshold / viewport hotkey', `${toast.swipeThreshold} / ${toast.hotkey}`],
  ['Tooltip open delay / skip delay', `${tooltip.openDelay} ms / ${tooltip.skipDelay} ms`],
  ['Avatar sizes', `${Math.min(...Object.values(avatar))} to ${Math.max(...Object.values(avatar))} px`],
];

describe('the constants', () => {
  it.each(ROWS)('has the specified value of %s: %s', async (constant, value) => {
    const page = await readFile(new URL('../docs/specification.md', import.meta.url), 'utf8');
    expect(page).toContain(`| ${constant} | ${value} |`);
  });

  it('has no constant beyond the specification', async () => {
    const page = await readFile(new URL('../docs/specification.md', import.meta.url), 'utf8');
    const section = page.slice(page.indexOf('## 9'));
    const names = [...section.matchAll(/^\| (?!Constant|---)([^|]+) \| (?!–)[^|]+ \| [^|]+ \|$/gm)].map(
      (row) => row[1],
    );
    expect(names).toEqual(ROWS.map(([constant]) => constant));
  });

  it('has nine avatar sizes', () => {
    expect(Object.values(avatar)).toEqual([16, 20, 24, 28, 32, 36, 40, 44, 48]);
  });
});

describe('the constants of the official clients', () => {
  const client = createClient('http://127.0.0.1:9', 'key', { auth: { persistSession: false } });

  it('has the same realtime values', async () => {
    expect(client.realtime.timeout).toBe(realtime.requestTimeout);
    expect(client.realtime.heartbeatIntervalMs).toBe(realtime.heartbeat);
    const waits = [1, 2, 3, 4, 5].map((tries) => client.realtime.reconnectAfterMs?.(tries));
    expect(waits).toEqual([...realtime.reconnectAfter, realtime.reconnectAfter.at(-1)]);
  });

  it('has the same cache lifetime for uploads', async () => {
    const sent: RequestInit[] = [];
    const { storage: files } = createClient('http://127.0.0.1:9', 'key', {
      global: {
        async fetch(_url, init = {}) {
          sent.push(init);
          return Response.json({ Id: '1', Key: 'b/f' });
        },
      },
    });
    await files.from('b').upload('f', 'text');
    expect(new Headers(sent[0]?.headers).get('cache-control')).toBe(`max-age=${storage.cacheControlSeconds}`);
  });
});

describe('a token refresh without a response', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it(`is retried after ${tokenRefresh.firstBackoff} ms, with a doubled delay each time`, async () => {
    const times: number[] = [];
    const { auth: sessions } = createClient('http://127.0.0.1:9', 'key', {
      auth: { persistSession: false, autoRefreshToken: false },
      global: {
        async fetch() {
          times.push(Date.now());
          return new Response('', { status: 503 });
        },
      },
    });
    const refresh = sessions.refreshSession({ refresh_token: 'token' });
    await vi.advanceTimersByTimeAsync(auth.retryInterval);
    await refresh;
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const expected = waits.map(
      (_wait, index) => tokenRefresh.firstBackoff * tokenRefresh.backoffFactor ** index,
    );
    expect(waits.length).toBeGreaterThan(3);
    expect(waits).toEqual(expected);
    // The attempts end when the next automatic refresh is due.
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(auth.retryInterval);
  });
});
