import { describe, expect, it } from 'vitest';
import { createFeatureReader, parseFeatures } from './auth-features.server.ts';

const SETTINGS = { external: { anonymous_users: true, google: true, apple: false }, passkeys_enabled: true };
const ALL = { passkeys: true, anonymous: true, providers: ['google'] };
const NO_FEATURES = { passkeys: false, anonymous: false, providers: [] };

describe('parseFeatures', () => {
  it.each([
    [SETTINGS, ALL],
    [{ external: { email: true } }, { ...NO_FEATURES, providers: ['email'] }],
    [{}, NO_FEATURES],
    [null, NO_FEATURES],
    ['settings', NO_FEATURES],
    [{ external: 1, passkeys_enabled: 'yes' }, NO_FEATURES],
  ])('parses %j', (settings, features) => {
    expect(parseFeatures(settings)).toEqual(features);
  });
});

describe('createFeatureReader', () => {
  function setUp() {
    const state = { requests: 0, time: 1_000_000, respond: async (): Promise<unknown> => SETTINGS };
    const features = createFeatureReader(
      () => {
        state.requests += 1;
        return state.respond();
      },
      () => state.time,
    );
    return { state, features };
  }

  it('requests once for concurrent callers and again after a minute', async () => {
    const { state, features } = setUp();
    expect(await Promise.all([features(), features()])).toEqual([ALL, ALL]);
    expect(await features()).toEqual(ALL);
    expect(state.requests).toBe(1);
    state.time += 60_000;
    state.respond = () => new Promise(() => {});
    // Returns the cached value without waiting for the refresh.
    expect(await features()).toEqual(ALL);
    expect(state.requests).toBe(2);
  });

  it('returns no features before the first response, then cached ones, and retries soon', async () => {
    const { state, features } = setUp();
    state.respond = async () => Promise.reject(new Error('away'));
    expect(await features()).toEqual(NO_FEATURES);
    expect(await features()).toEqual(NO_FEATURES);
    expect(state.requests).toBe(1);
    state.time += 5_000;
    state.respond = async () => SETTINGS;
    await features();
    expect(await features()).toEqual(ALL);
    state.time += 60_000;
    state.respond = async () => Promise.reject(new Error('away'));
    await features();
    expect(await features()).toEqual(ALL);
  });
});
