import { describe, expect, it } from 'vitest';
import { userRow } from '../testing/user-row.ts';
import { isBanned, toListedUser, toUser } from './user.ts';

const onTheWire = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('toUser', () => {
  it('omits empty fields except email and phone', () => {
    expect(onTheWire(toUser(userRow({ email: null, email_confirmed_at: null, confirmed_at: null })))).toEqual(
      {
        id: '11111111-1111-4111-8111-111111111111',
        aud: 'authenticated',
        role: 'authenticated',
        email: '',
        phone: '',
        app_metadata: {},
        user_metadata: {},
        identities: [],
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
        is_anonymous: false,
      },
    );
  });

  it.each([
    ['email_change', 'new@example.org', 'new_email', 'new@example.org'],
    ['phone_change', '15550100', 'new_phone', '15550100'],
    ['banned_until', new Date('2027-01-01T00:00:00Z'), 'banned_until', '2027-01-01T00:00:00.000Z'],
    ['last_sign_in_at', new Date('2026-02-03T04:05:06.789Z'), 'last_sign_in_at', '2026-02-03T04:05:06.789Z'],
  ])('returns %s', (column, value, field, expected) => {
    expect(onTheWire(toUser(userRow({ [column]: value })))).toMatchObject({ [field]: expected });
  });

  it.each(['encrypted_password', 'is_sso_user', 'email_change', 'raw_app_meta_data'])(
    'never returns %s',
    (column) => {
      expect(onTheWire(toUser(userRow()))).not.toHaveProperty(column);
    },
  );

  it("returns the provider's id of an identity as id", () => {
    const times = { created_at: '2026-01-01T00:00:00+00:00', updated_at: '2026-01-01T02:00:00+02:00' };
    const row = { id: 'row', provider_id: 'subject', user_id: 'user', provider: 'email', ...times };
    const identities = [{ ...row, identity_data: { sub: 'subject' }, last_sign_in_at: null, email: null }];
    expect(onTheWire(toUser(userRow({ identities })).identities)).toEqual([
      {
        identity_id: 'row',
        id: 'subject',
        user_id: 'user',
        identity_data: { sub: 'subject' },
        provider: 'email',
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
    ]);
  });

  it('returns factors without secrets', () => {
    const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
    const row = {
      id: 'row',
      status: 'verified' as const,
      factor_type: 'totp' as const,
      phone: null,
      ...times,
    };
    const rest = { friendly_name: null, last_challenged_at: null, web_authn_aaguid: null };
    const factors = [{ ...row, ...rest, last_webauthn_challenge_data: null }];
    expect(onTheWire(toUser(userRow({ factors })).factors)).toEqual([
      {
        id: 'row',
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
        status: 'verified',
        factor_type: 'totp',
        phone: '',
        last_challenged_at: null,
      },
    ]);
  });
});

describe('toListedUser', () => {
  it('returns null for identities and no factors', () => {
    const user = onTheWire(toListedUser(userRow()));
    expect(user.identities).toBeNull();
    expect(user).not.toHaveProperty('factors');
  });
});

describe('isBanned', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it.each([
    [null, false],
    [new Date('2026-01-01T00:00:01Z'), true],
    [new Date('2025-12-31T23:59:59Z'), false],
  ])('until %s: %s', (banned_until, expected) => {
    expect(isBanned({ banned_until }, now)).toBe(expected);
  });
});
