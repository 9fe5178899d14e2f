import { describe, expect, it } from 'vitest';
import type { Claims, SessionSummary } from './claims.ts';
import { type ClientSession, compareSessions } from './client-session.ts';

const summary: SessionSummary = { token_type: 'bearer', expires_in: 3600, expires_at: 1700003600 };
const user: Claims = {
  sub: 'u1',
  email: 'ada@example.com',
  phone: '',
  aal: 'aal1',
  user_verified: false,
  amr: [],
  session_id: 's1',
  role: 'authenticated',
  exp: 1700003600,
  is_anonymous: false,
  app_metadata: {},
  user_metadata: {},
};
const signedIn: ClientSession = { session: summary, user };
const signedOut: ClientSession = { session: null, user: null };
const withUser = (change: Partial<Claims>): ClientSession => ({
  session: summary,
  user: { ...user, ...change },
});

describe('compareSessions', () => {
  it.each<[string, ClientSession, ClientSession, boolean, boolean]>([
    ['equal sessions', signedIn, structuredClone(signedIn), false, false],
    ['two signed-out states', signedOut, { ...signedOut }, false, false],
    ['a sign-in', signedOut, signedIn, true, true],
    ['a sign-out', signedIn, signedOut, true, true],
    ['another user', signedIn, withUser({ sub: 'u2' }), true, true],
    ['a second factor', signedIn, withUser({ aal: 'aal2' }), true, true],
    ['a new role', signedIn, withUser({ app_metadata: { role: 'admin' } }), true, true],
    ['a new email', signedIn, withUser({ email: 'ada@example.org' }), true, true],
    [
      'a refreshed token',
      signedIn,
      { session: { ...summary, expires_at: 1 }, user: { ...user, exp: 1 } },
      true,
      false,
    ],
  ])(
    'finds for %s a difference ($3) and a need to revalidate ($4)',
    (_name, before, after, isDifferent, mustRevalidate) => {
      expect(compareSessions(before, after)).toEqual({ isDifferent, mustRevalidate });
    },
  );
});
