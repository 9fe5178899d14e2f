import { type ConfigSource, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import type { MessageCaps } from '../contracts/rate-limits.ts';
import { authSettings } from '../settings.ts';
import { createMessageCaps } from './message-caps.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const LEAVE = { email: true, phone: true };
const capsWith = (env: ConfigSource = {}, leaves = LEAVE) =>
  createMessageCaps(loadSettings(authSettings, env).codes, leaves);

function countedOf(count: number, attempt: (index: number) => void): number {
  let counted = 0;
  for (let index = 0; index < count; index += 1) {
    try {
      attempt(index);
      counted += 1;
    } catch (error) {
      expect(error).toMatchObject({ status: 429 });
    }
  }
  return counted;
}

const mailTo = (caps: MessageCaps, recipient: string, client: readonly string[]) =>
  caps.count({ channel: 'email', recipient, client }, NOW);

describe('createMessageCaps', () => {
  it.each([
    ['email', 10, 10, 30],
    ['phone', 10, 5, 30],
  ] as const)(
    'limits %s per client, per recipient and in total',
    (channel, perClient, perRecipient, total) => {
      const count = (caps: MessageCaps) => (recipient: string, client: string) =>
        caps.count({ channel, recipient, client: [client] }, NOW);
      const [one, two, three] = [count(capsWith()), count(capsWith()), count(capsWith())];
      expect(countedOf(100, (n) => one(`r${n}`, 'a'))).toBe(perClient);
      expect(countedOf(100, (n) => two('r', `c${n}`))).toBe(perRecipient);
      expect(countedOf(100, (n) => three(`r${n}`, `c${n}`))).toBe(total);
    },
  );

  it('counts nothing for a rejected message', () => {
    const caps = capsWith({ GREENROOM_RATE_LIMIT_EMAIL_PER_CLIENT: '3' });
    countedOf(100, () => mailTo(caps, 'a', ['flood']));
    expect(countedOf(100, () => mailTo(caps, 'a', []))).toBe(7);
    expect(countedOf(100, (n) => mailTo(caps, `b${n}`, []))).toBe(20);
  });

  it('returns in Retry-After when the next message is accepted', () => {
    const caps = capsWith();
    countedOf(10, (n) => mailTo(caps, `r${n}`, ['a']));
    expect(() => mailTo(caps, 'r', ['a'])).toThrow(
      expect.objectContaining({ code: 'over_email_send_rate_limit', headers: { 'retry-after': '360' } }),
    );
  });

  it('does not limit messages that are kept in the mailbox', () => {
    const caps = capsWith({}, { email: false, phone: false });
    expect(countedOf(100, () => mailTo(caps, 'r', ['a']))).toBe(100);
    expect(countedOf(100, () => caps.countTotal('phone', NOW))).toBe(100);
  });

  it.each([LEAVE, { email: false, phone: false }])(
    'rejects all messages if the total is 0, with %j',
    (leaves) => {
      const caps = capsWith({ GOTRUE_RATE_LIMIT_EMAIL_SENT: '0' }, leaves);
      expect(() => mailTo(caps, 'r', [])).toThrow('email rate limit exceeded');
      expect(caps.allowsNotification('r', NOW)).toBe(false);
    },
  );

  it('counts messages of administrators only for the total', () => {
    const caps = capsWith();
    expect(countedOf(100, () => caps.countTotal('email', NOW))).toBe(30);
    expect(() => mailTo(caps, 'r', [])).toThrow('email rate limit exceeded');
  });

  it('counts notifications per recipient, separately from requested mails', () => {
    const caps = capsWith();
    countedOf(100, (n) => mailTo(caps, `r${n % 5}`, [`c${n}`]));
    const allowed = (recipient: string) =>
      Array.from({ length: 20 }, () => caps.allowsNotification(recipient, NOW)).filter(Boolean).length;
    expect([allowed('r0'), allowed('r1')]).toEqual([10, 10]);
  });
});
