import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFetch } from '../../lib/fetch/create-fetch.ts';
import { type BuildWatch, buildsAddress, warmManifest, watchBuilds } from './watch-builds.ts';

const config = {
  baseURL: '/',
  cdnURL: '',
  buildAssetsDir: '/assets/',
  buildId: 'aaaa',
  buildCheckSeconds: 3600,
};
const HOUR_MS = 3_600_000;

/**
 * A server whose newest build is `latest`; it responds to the manifest of the tab's own build with
 * `metaStatus`.
 */
function server(latest: unknown, metaStatus = 200) {
  const requests: string[] = [];
  let outdated = 0;
  const watch: BuildWatch = {
    config,
    now: () => 123,
    fetchJson: createFetch({
      baseURL: '/',
      async fetch(address) {
        requests.push(String(address));
        if (String(address).includes('/meta/')) return Response.json({}, { status: metaStatus });
        if (latest instanceof Error) throw latest;
        return latest instanceof Response ? latest.clone() : Response.json(latest);
      },
    }),
    onOutdated: () => void outdated++,
  };
  return { watch, requests, outdated: () => outdated };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('buildsAddress', () => {
  it.each([
    [config, '/assets/builds/'],
    [{ ...config, baseURL: '/app/', buildAssetsDir: '/_f/' }, '/app/_f/builds/'],
    [
      { ...config, baseURL: '/app/', cdnURL: 'https://cdn.example/v1' },
      'https://cdn.example/v1/assets/builds/',
    ],
  ])('returns for %j: %s', (location, expected) => {
    expect(buildsAddress(location)).toBe(expected);
  });
});

describe('watchBuilds', () => {
  it('checks once an hour until there is a newer build', async () => {
    const { watch, requests, outdated } = server({ id: 'aaaa', timestamp: 1 });
    watchBuilds(watch);
    await vi.advanceTimersByTimeAsync(HOUR_MS - 1);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toEqual(['/assets/builds/meta/aaaa.json', '/assets/builds/latest.json?123']);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(requests).toHaveLength(4);
    expect(outdated()).toBe(0);
  });

  it('reports a newer build once and stops checking', async () => {
    const { watch, requests, outdated } = server({ id: 'bbbb', timestamp: 2 });
    watchBuilds(watch);
    await vi.advanceTimersByTimeAsync(5 * HOUR_MS);
    expect(outdated()).toBe(1);
    expect(requests).toHaveLength(2);
  });

  it.each([404, 403])('treats a %i for its own manifest as a newer build', async (status) => {
    const { watch, outdated } = server({ id: 'aaaa' }, status);
    watchBuilds(watch);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(outdated()).toBe(1);
  });

  it.each([
    ['a server error', new Response('', { status: 500 })],
    ['a network error', new TypeError('network')],
    ['a response that is not JSON', new Response('<html>')],
    ['JSON of another shape', []],
    ['an id that is not a text', { id: 5 }],
  ])('continues after %s', async (_name, latest) => {
    const { watch, requests, outdated } = server(latest);
    watchBuilds(watch);
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    // Counts the checks by their first request, because the second one may be retried.
    expect(requests.filter((address) => address.includes('/meta/'))).toHaveLength(2);
    expect(outdated()).toBe(0);
  });

  it('stops on request', async () => {
    const { watch, requests } = server({ id: 'bbbb' });
    watchBuilds(watch)();
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(requests).toEqual([]);
  });

  it('never checks if disabled', async () => {
    const { watch, requests } = server({ id: 'bbbb' });
    watchBuilds({ ...watch, config: { ...config, buildCheckSeconds: 0 } });
    await vi.advanceTimersByTimeAsync(5 * HOUR_MS);
    expect(requests).toEqual([]);
  });
});

describe('warmManifest', () => {
  it('requests its own manifest and ignores failures', async () => {
    const { watch, requests } = server({ id: 'aaaa' });
    await warmManifest(watch);
    await warmManifest({ ...watch, fetchJson: () => Promise.reject(new TypeError('network')) });
    expect(requests).toEqual(['/assets/builds/meta/aaaa.json']);
  });
});
