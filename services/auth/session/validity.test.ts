import { describe, expect, it } from 'vitest';
import type { SessionRow } from './session.ts';
import { effectiveTag, expiryOf, lastRefreshMs } from './validity.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const HOUR = 3_600_000;
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR).toISOString();
const off = { timeboxMs: undefined, inactivityTimeoutMs: undefined, allowLowAalMs: undefined };

function session(fields: Partial<SessionRow> = {}): SessionRow {
  const row = {
    id: 's',
    created_at: hoursAgo(10),
    aal: 'aal1' as const,
    not_after: null,
    refreshed_at: null,
  };
  return {
    ...row,
    tag: null,
    hmac_key: null,
    counter: null,
    oauth_client_id: null,
    scopes: null,
    amr: null,
    user_verified: false,
    ...fields,
  };
}

describe('expiryOf', () => {
  it.each([
    ['nothing is configured', session({ created_at: hoursAgo(1e5) }), off, {}],
    ['not_after is in the future', session({ not_after: hoursAgo(-1) }), off, {}],
    ['the timebox is larger', session(), { ...off, timeboxMs: 11 * HOUR }, {}],
    [
      'it was refreshed recently',
      session({ refreshed_at: hoursAgo(1) }),
      { ...off, inactivityTimeoutMs: 2 * HOUR },
      {},
    ],
    [
      'its token is recent',
      session(),
      { ...off, inactivityTimeoutMs: HOUR },
      { tokenChangedAt: new Date(hoursAgo(0.5)) },
    ],
    ['the user has no second factor', session(), { ...off, allowLowAalMs: HOUR }, {}],
    [
      'it has the second factor',
      session({ aal: 'aal2' }),
      { ...off, allowLowAalMs: HOUR },
      { reachable: 'aal2' },
    ],
    ['it is recent enough', session(), { ...off, allowLowAalMs: 11 * HOUR }, { reachable: 'aal2' }],
  ] as const)('is undefined while %s', (_, row, limits, context) => {
    expect(expiryOf(row, limits, { now: NOW, reachable: 'aal1', ...context })).toBeUndefined();
  });

  it.each([
    ['not_after', session({ not_after: hoursAgo(1) }), off, {}, 'Session Expired'],
    [
      'timebox',
      session({ refreshed_at: hoursAgo(0) }),
      { ...off, timeboxMs: 9 * HOUR },
      {},
      'Session Expired',
    ],
    ['inactivity', session(), { ...off, inactivityTimeoutMs: HOUR }, {}, 'Session Expired (Inactivity)'],
    [
      'inactivity since the last refresh',
      session({ refreshed_at: hoursAgo(2) }),
      { ...off, inactivityTimeoutMs: HOUR },
      { tokenChangedAt: NOW },
      'Session Expired (Inactivity)',
    ],
    [
      'low assurance',
      session(),
      { ...off, allowLowAalMs: HOUR },
      { reachable: 'aal2' },
      'Session Expired (Low AAL: User Needs MFA Verification)',
    ],
    [
      'unknown assurance',
      session({ aal: null }),
      { ...off, allowLowAalMs: HOUR },
      { reachable: 'aal2' },
      'Session Expired (Low AAL: User Needs MFA Verification)',
    ],
  ] as const)('is %s', (_, row, limits, context, expected) => {
    expect(expiryOf(row, limits, { now: NOW, reachable: 'aal1', ...context })).toBe(expected);
  });
});

describe('lastRefreshMs', () => {
  it.each([
    ['the last refresh', session({ refreshed_at: hoursAgo(3) }), new Date(hoursAgo(1)), hoursAgo(3)],
    ['the change of the token without a refresh', session(), new Date(hoursAgo(1)), hoursAgo(1)],
    ['the creation without a token', session(), undefined, hoursAgo(10)],
    ['never before the creation', session(), new Date(hoursAgo(11)), hoursAgo(10)],
  ])('is %s', (_, row, tokenChangedAt, expected) => {
    expect(new Date(lastRefreshMs(row, tokenChangedAt)).toISOString()).toBe(expected);
  });
});

describe('effectiveTag', () => {
  it.each([
    [null, [], ''],
    ['web', [], ''],
    [null, ['web', 'app'], 'web'],
    ['app', ['web', 'app'], 'app'],
    ['watch', ['web', 'app'], 'web'],
  ])('%s of %j is %j', (tag, known, expected) => {
    expect(effectiveTag(tag, known)).toBe(expected);
  });
});
