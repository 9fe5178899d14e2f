import { type ConfigSource, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';
import { userRow } from '../testing/user-row.ts';
import { accessTokenClaims } from './access-token.ts';

const NOW = new Date('2026-01-01T00:00:00.900Z');
const SECONDS = Date.parse('2026-01-01T00:00:00Z') / 1000;
const amr = [{ method: 'password', timestamp: SECONDS }];
const session = { id: 'the-session', createdAt: NOW, amr };
const claimsWith = (user: Parameters<typeof userRow>[0], env: ConfigSource = {}, of = session) =>
  accessTokenClaims(userRow(user), of, loadSettings(authSettings, env), NOW);

describe('accessTokenClaims', () => {
  it('returns exactly these claims', () => {
    const user = {
      id: 'the-user',
      email: 'ann@example.org',
      raw_app_meta_data: { provider: 'email' },
      raw_user_meta_data: { name: 'Ann' },
    };
    expect(claimsWith(user, { API_EXTERNAL_URL: 'https://x.example' })).toEqual({
      iss: 'https://x.example/auth/v1',
      sub: 'the-user',
      aud: 'authenticated',
      exp: SECONDS + 3600,
      iat: SECONDS,
      email: 'ann@example.org',
      phone: '',
      app_metadata: { provider: 'email' },
      user_metadata: { name: 'Ann' },
      role: 'authenticated',
      aal: 'aal1',
      amr,
      session_id: 'the-session',
      is_anonymous: false,
    });
  });

  it('always include email, phone and metadata objects', () => {
    const claims = claimsWith({ email: null, raw_app_meta_data: null, raw_user_meta_data: null });
    expect(claims).toMatchObject({ email: '', phone: '', app_metadata: {}, user_metadata: {} });
  });

  it.each([
    ['password', 'aal1'],
    ['otp', 'aal1'],
    ['totp', 'aal2'],
    ['mfa/phone', 'aal2'],
    ['mfa/webauthn', 'aal2'],
  ])('method %s has level %s', (method, aal) => {
    const of = { ...session, amr: [{ method, timestamp: SECONDS }, ...amr] };
    expect(claimsWith({}, {}, of).aal).toBe(aal);
  });

  const verified = { factors: [{ status: 'verified' }] as never };
  const unverified = { factors: [{ status: 'unverified' }] as never };
  it.each([
    ['expires when the second factor becomes due', verified, '10m', 600],
    ['expires as usual if the second factor is due later', verified, '2h', 3600],
    ['expires as usual for users without a second factor', unverified, '10m', 3600],
  ])('the token %s', (_, user, limit, lifetime) => {
    const { iat, exp } = claimsWith(user, { GOTRUE_SESSIONS_ALLOW_LOW_AAL: limit });
    expect(exp - iat).toBe(lifetime);
  });
});
