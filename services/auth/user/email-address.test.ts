import { describe, expect, it } from 'vitest';
import { parseEmail } from './email-address.ts';

describe('parseEmail', () => {
  it.each([
    ['ann@example.org', 'ann@example.org'],
    ['Ann.Lee+Tag@Example.ORG', 'ann.lee+tag@example.org'],
    ["o'neil!#$%&*/=?^_`{|}~-@x.co", "o'neil!#$%&*/=?^_`{|}~-@x.co"],
    ['root@localhost', 'root@localhost'],
    [`${'a'.repeat(64)}@x.co`, `${'a'.repeat(64)}@x.co`],
  ])('accepts %s', (text, email) => {
    expect(parseEmail(text)).toBe(email);
  });

  it.each([
    ['', 'An email address is required'],
    ['ann', 'Unable to validate email address: invalid format'],
    ['@example.org', 'Unable to validate email address: invalid format'],
    ['ann@', 'Unable to validate email address: invalid format'],
    ['ann@-x.org', 'Unable to validate email address: invalid format'],
    ['ann@x..org', 'Unable to validate email address: invalid format'],
    ['ann lee@x.org', 'Unable to validate email address: invalid format'],
    ['ann@x.org\n', 'Unable to validate email address: invalid format'],
    ['änn@x.org', 'Unable to validate email address: invalid format'],
    // The Kelvin sign lower-cases to an ordinary k, so two spellings would be one account.
    ['\u212Aate@x.org', 'Unable to validate email address: invalid format'],
    [`${'a'.repeat(65)}@x.co`, 'Unable to validate email address: invalid format'],
    [`a@${'b'.repeat(64)}.co`, 'Unable to validate email address: invalid format'],
    [`a@${'b.'.repeat(127)}co`, 'An email address is too long'],
  ])('rejects %j', (text, message) => {
    expect(() => parseEmail(text)).toThrow(expect.objectContaining({ code: 'validation_failed', message }));
  });
});
