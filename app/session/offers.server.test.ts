import { describe, expect, it } from 'vitest';
import { createOffers, readOffers } from './offers.server.ts';

const SETTINGS = { external: { anonymous_users: true, google: true, apple: false }, passkeys_enabled: true };
const ALL = { passkeys: true, anonymous: true, providers: ['google'] };
const NOTHING = { passkeys: false, anonymous: false, providers: [] };

describe('readOffers', () => {
  it.each([
    [SETTINGS, ALL],
    [{ external: { email: true } }, { ...NOTHING, providers: ['email'] }],
    [{}, NOTHING],
    [null, NOTHING],
    ['settings', NOTHING],
    [{ external: 1, passkeys_enabled: 'yes' }, NOTHING],
  ])('%j', (settings, offers) => {
    expect(readOffers(settings)).toEqual(offers);
  });
});

describe('createOffers', () => {
  function setUp() {
    const state = { asked: 0, time: 1_000_000, answer: async (): Promise<unknown> => SETTINGS };
    const offers = createOffers(
      () => {
        state.asked += 1;
        return state.answer();
      },
      () => state.time,
    );
    return { state, offers };
  }

  it('asks once for all who come at the same time, and again after a minute', async () => {
    const { state, offers } = setUp();
    expect(await Promise.all([offers(), offers()])).toEqual([ALL, ALL]);
    expect(await offers()).toEqual(ALL);
    expect(state.asked).toBe(1);
    state.time += 60_000;
    state.answer = () => new Promise(() => {});
    // Nobody waits for the news.
    expect(await offers()).toEqual(ALL);
    expect(state.asked).toBe(2);
  });

  it('offers nothing while there was no answer, keeps old news, and tries again soon', async () => {
    const { state, offers } = setUp();
    state.answer = async () => Promise.reject(new Error('away'));
    expect(await offers()).toEqual(NOTHING);
    expect(await offers()).toEqual(NOTHING);
    expect(state.asked).toBe(1);
    state.time += 5_000;
    state.answer = async () => SETTINGS;
    await offers();
    expect(await offers()).toEqual(ALL);
    state.time += 60_000;
    state.answer = async () => Promise.reject(new Error('away'));
    await offers();
    expect(await offers()).toEqual(ALL);
  });
});
