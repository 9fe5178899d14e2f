import { describe, expect, it } from 'vitest';
import { userRow } from '../testing/user-row.ts';
import { auditEntry } from './entry.ts';

describe('auditEntry', () => {
  it('contains actor and action', () => {
    expect(auditEntry(userRow(), 'login', { provider: 'email' })).toEqual({
      actor_id: '11111111-1111-4111-8111-111111111111',
      actor_via_sso: false,
      actor_username: 'ann@example.org',
      action: 'login',
      log_type: 'account',
      traits: { provider: 'email' },
    });
  });

  it.each([
    ['the phone number before the address', { phone: '15550100' }, { actor_username: '15550100' }],
    ['nothing for anonymous users', { email: null }, { actor_username: '' }],
    ['the full name', { raw_user_meta_data: { full_name: 'Ann Lee' } }, { actor_name: 'Ann Lee' }],
  ])('contains the name of the actor: %s', (_, fields, expected) => {
    expect(auditEntry(userRow(fields), 'logout')).toMatchObject(expected);
  });

  it.each([
    ['user_signedup', 'team'],
    ['user_repeated_signup', 'user'],
    ['user_modified', 'user'],
    ['user_updated_password', 'user'],
    ['token_refreshed', 'token'],
    ['token_revoked', 'token'],
    ['logout', 'account'],
  ] as const)('has for %s the log type %s', (action, log_type) => {
    expect(auditEntry(userRow(), action)).toMatchObject({ action, log_type });
  });
});
