import { loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { mailboxSettings } from './settings.ts';

const load = (source: Record<string, string>) => loadSettings(mailboxSettings, source);
const ENABLED = { GREENROOM_MAILBOX_ENABLED: 'true' };

describe('the mailbox', () => {
  it('has no ports unless it is enabled', () => {
    expect(load({})).toEqual({
      isEnabled: false,
      isServed: false,
      ports: { http: 54_324, smtp: undefined, pop3: undefined },
      sender: { name: 'Admin', address: 'admin@email.com' },
    });
    expect(load(ENABLED).isServed).toBe(true);
  });

  it.each([
    { GREENROOM_PUBLIC_URL: 'https://example.org' },
    { API_EXTERNAL_URL: 'https://example.org' },
    { SITE_URL: 'https://example.org' },
    { GREENROOM_TRUST_PROXY: '127.0.0.1' },
  ])('has no ports on a public instance: %j', (source) => {
    expect(load({ ...ENABLED, ...source })).toMatchObject({ isEnabled: true, isServed: false });
  });

  it('may have any free ports', () => {
    const zero = {
      GREENROOM_MAILBOX_PORT: '0',
      GREENROOM_MAILBOX_SMTP_PORT: '0',
      GREENROOM_MAILBOX_POP3_PORT: '0',
    };
    expect(load({ ...ENABLED, ...zero }).ports).toEqual({ http: 0, smtp: 0, pop3: 0 });
  });

  it.each([
    [{ GREENROOM_MAILBOX_PORT: '70000' }, 'GREENROOM_MAILBOX_PORT="70000" is not allowed'],
    [{ GREENROOM_MAILBOX_ADMIN_EMAIL: 'ann' }, 'GREENROOM_MAILBOX_ADMIN_EMAIL="ann" is not allowed'],
    [
      { GREENROOM_MAILBOX_SMTP_PORT: '54324' },
      'GREENROOM_MAILBOX_SMTP_PORT="54324" is not allowed. Allowed: a port other than GREENROOM_MAILBOX_PORT',
    ],
    [
      { GREENROOM_MAILBOX_SMTP_PORT: '5', GREENROOM_MAILBOX_POP3_PORT: '5' },
      'GREENROOM_MAILBOX_POP3_PORT="5" is not allowed. Allowed: a port other than GREENROOM_MAILBOX_SMTP_PORT',
    ],
  ])('rejects %j', (source, message) => {
    expect(() => load({ ...ENABLED, ...source })).toThrow(message);
  });
});
