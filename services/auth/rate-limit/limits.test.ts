import { type ConfigSource, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import type { RateLimits } from '../contracts/rate-limits.ts';
import { authSettings } from '../settings.ts';
import { authRequest } from '../testing/request.ts';
import { createRateLimits } from './limits.ts';

const START = new Date('2026-01-01T00:00:00Z');
const secondsAfterStart = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const limitsWith = (env: ConfigSource = {}) => createRateLimits(loadSettings(authSettings, env));

const requestFrom = (address: string, headers: Record<string, string> = {}) =>
  authRequest({ address, headers });

function allowedOf(count: number, attempt: () => void): number {
  let allowed = 0;
  for (let index = 0; index < count; index += 1) {
    try {
      attempt();
      allowed += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'over_request_rate_limit', status: 429 });
    }
  }
  return allowed;
}

describe('check', () => {
  const byHeader = { GOTRUE_RATE_LIMIT_HEADER: 'X-Real-IP' };

  it.each([
    ['without the header', byHeader, {}, '203.0.113.7'],
    ['with an empty first item', byHeader, { 'x-real-ip': ' , b' }, '203.0.113.7'],
    ['on the loopback', {}, {}, '127.0.0.1'],
  ])('does not limit requests %s', (_, env, headers, address) => {
    const limits = limitsWith(env);
    expect(allowedOf(100, () => limits.check('token', requestFrom(address, headers), START))).toBe(100);
  });

  it.each([
    ['an address', '203.0.113.7', undefined, 30],
    ['an IPv6 /64', '2001:db8::1', undefined, 15],
    ['an account', '203.0.113.7', 'some id', 30],
  ])('counts without the setting by %s', (_, address, account, allowed) => {
    const limits = limitsWith();
    expect(allowedOf(100, () => limits.check('token', requestFrom(address), START, account))).toBe(allowed);
  });

  it('counts an account regardless of its addresses, and separately from them', () => {
    const limits = limitsWith();
    const check = (address: string, account?: string) => () =>
      limits.check('user', requestFrom(address), START, account);
    expect(allowedOf(100, check('203.0.113.7', 'a'))).toBe(30);
    expect(allowedOf(100, check('203.0.113.8', 'a'))).toBe(0);
    expect(allowedOf(100, check('203.0.113.7', 'b'))).toBe(30);
    expect(allowedOf(100, check('203.0.113.7'))).toBe(30);
  });

  it('returns in Retry-After when the next request is accepted', () => {
    const limits = limitsWith();
    const check = (now: Date) => () => limits.check('signup', requestFrom('203.0.113.7'), now);
    allowedOf(30, check(START));
    expect(check(START)).toThrow(expect.objectContaining({ headers: { 'retry-after': '10' } }));
    expect(allowedOf(2, check(secondsAfterStart(10)))).toBe(1);
  });

  it('distinguishes long values of the header', () => {
    const limits = limitsWith(byHeader);
    const check = (end: string) => () =>
      limits.check('token', requestFrom('', { 'x-real-ip': 'x'.repeat(1000) + end }), START);
    expect([allowedOf(100, check('a')), allowedOf(100, check('b'))]).toEqual([30, 30]);
    expect(allowedOf(100, check('a'))).toBe(0);
  });

  it.each(['signup', 'token', 'user'] as const)('allows a burst of 30 for %s', (operation) => {
    const limits = limitsWith(byHeader);
    const request = requestFrom('203.0.113.7', { 'x-real-ip': 'a, b' });
    expect(allowedOf(100, () => limits.check(operation, request, START))).toBe(30);
  });

  it.each([
    ['token', 150],
    ['signup', 30],
  ] as const)('refills %s with %d tokens in five minutes', (operation, perFiveMinutes) => {
    const limits = limitsWith(byHeader);
    const request = requestFrom('203.0.113.7', { 'x-real-ip': 'a' });
    allowedOf(100, () => limits.check(operation, request, START));
    const seconds = (300 / perFiveMinutes) * 5;
    expect(allowedOf(100, () => limits.check(operation, request, secondsAfterStart(seconds)))).toBe(5);
  });

  it.each([
    ['signup', 'GOTRUE_RATE_LIMIT_OTP'],
    ['token', 'GOTRUE_RATE_LIMIT_TOKEN_REFRESH'],
    ['verify', 'GOTRUE_RATE_LIMIT_VERIFY'],
    ['web3', 'GOTRUE_RATE_LIMIT_WEB3'],
  ] as const)('refills %s at the rate of %s', (operation, setting) => {
    const limits = limitsWith({ ...byHeader, [setting]: '600' });
    const request = requestFrom('203.0.113.7', { 'x-real-ip': 'a' });
    allowedOf(100, () => limits.check(operation, request, START));
    expect(allowedOf(100, () => limits.check(operation, request, secondsAfterStart(5)))).toBe(10);
  });

  it('counts anonymous sign-ups per hour', () => {
    const limits = limitsWith({ ...byHeader, GOTRUE_RATE_LIMIT_ANONYMOUS_USERS: '2' });
    const request = requestFrom('203.0.113.7', { 'x-real-ip': 'a' });
    expect(allowedOf(10, () => limits.check('anonymous', request, START))).toBe(2);
    expect(allowedOf(10, () => limits.check('anonymous', request, secondsAfterStart(1800)))).toBe(1);
  });

  it('counts by the first item of the header', () => {
    const limits = limitsWith(byHeader);
    const check = (value: string) => limits.check('token', requestFrom('', { 'x-real-ip': value }), START);
    expect(allowedOf(100, () => check('a, b'))).toBe(30);
    expect(allowedOf(100, () => check('a, c'))).toBe(0);
    expect(allowedOf(100, () => check('c, a'))).toBe(30);
  });
});

describe('guard', () => {
  const wrong = async () => {
    throw new Error('wrong');
  };

  async function guesses(
    limits: RateLimits,
    address: string,
    count: number,
    guess: () => Promise<unknown> = wrong,
  ) {
    const results = await Promise.allSettled(
      Array.from({ length: count }, () => limits.guard(requestFrom(address), START, guess, () => true)),
    );
    return results.filter((result) => result.status === 'fulfilled' || result.reason.message === 'wrong')
      .length;
  }

  it('accepts 30 parallel wrong guesses', async () => {
    expect(await guesses(limitsWith(), '203.0.113.7', 100)).toBe(30);
  });

  it('counts an IPv6 /48 as one client, and allows a /64 half of its guesses', async () => {
    const limits = limitsWith();
    expect(await guesses(limits, '2001:db8::1', 15)).toBe(15);
    expect(await guesses(limits, '2001:db8::2', 1)).toBe(0);
    const others = Array.from({ length: 30 }, (_, network) => `2001:db8:0:${network.toString(16)}00::1`);
    const allowed = await Promise.all(others.slice(1).map((address) => guesses(limits, address, 1)));
    expect(allowed.reduce((sum, count) => sum + count, 0)).toBe(15);
  });

  it('does not count successes, nor errors that are not guesses', async () => {
    const limits = limitsWith();
    for (let index = 0; index < 100; index += 1) {
      expect(await guesses(limits, '203.0.113.7', 1, async () => 'in')).toBe(1);
      const failed = limits.guard(requestFrom('203.0.113.7'), START, wrong, () => false);
      await expect(failed).rejects.toThrow('wrong');
    }
  });

  it.each([
    ['the loopback', {}, '127.0.0.1'],
    ['any client if the limit is disabled', { GREENROOM_RATE_LIMIT_FAILED_SIGN_INS: '0' }, '203.0.113.7'],
    ['any client if a header identifies clients', { GOTRUE_RATE_LIMIT_HEADER: 'x-real-ip' }, '203.0.113.7'],
  ])('does not limit %s', async (_, env, address) => {
    expect(await guesses(limitsWith(env), address, 100)).toBe(100);
  });

  it('allows guesses again after a while', async () => {
    const limits = limitsWith();
    await guesses(limits, '203.0.113.7', 31);
    const again = limits.guard(requestFrom('203.0.113.7'), secondsAfterStart(10), wrong, () => true);
    await expect(again).rejects.toThrow('wrong');
  });
});

describe('guardAdmin', () => {
  it('rejects a client after a hundred rejected requests, but not after successful ones', async () => {
    const limits = limitsWith();
    const request = requestFrom('203.0.113.7');
    const run = (work: () => Promise<unknown>) =>
      limits
        .guardAdmin(request, START, work, () => true)
        .then(
          () => 'done',
          (error: Error) => error.message,
        );
    for (let index = 0; index < 200; index += 1) expect(await run(async () => 'in')).toBe('done');
    const refused = async () => {
      throw new Error('refused');
    };
    const outcomes = await Promise.all(Array.from({ length: 150 }, () => run(refused)));
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(100);
  });
});
