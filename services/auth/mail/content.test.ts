import { describe, expect, it } from 'vitest';
import type { MailData } from '../contracts/mailer.ts';
import type { MailKind, NotificationName } from '../settings/mail.ts';
import { contentOf } from './content.ts';
import { NOTIFICATION_TEXTS } from './notification-texts.ts';
import { type FlowMail, MAIL_TEXTS } from './texts.ts';

const FLOWS = Object.keys(MAIL_TEXTS.en) as FlowMail[];
const NOTIFICATIONS = Object.keys(NOTIFICATION_TEXTS.en) as NotificationName[];
const SITE = { siteUrl: 'https://room.example', link: 'https://room.example/verify' };
const DATA = {
  to: 'ann@example.org',
  email: 'ann@example.org',
  token: '123456',
  newEmail: 'new@example.org',
  oldEmail: 'old@example.org',
  phone: '15550100',
  oldPhone: '15550101',
  provider: 'github',
  factorType: 'totp',
};

function mailOf(kind: MailKind, locale: string) {
  return contentOf(kind, { ...DATA, userMetadata: { locale } } satisfies MailData, SITE);
}

describe.each([
  ['en', /^You’re receiving this email because /, /^If you (?:didn’t|weren’t) /],
  ['de', /^Sie erhalten diese E-Mail, weil /, /^Falls Sie /],
])('the built-in mails in %s', (locale, reason, notRequested) => {
  it.each(FLOWS)('%s names the site, and says why it came and what to do if not requested', (kind) => {
    const { subject, content } = mailOf(kind, locale);
    expect(`${subject} ${content.intro}`).toContain('room.example');
    expect(content.footer).toEqual([expect.stringMatching(reason), expect.stringMatching(notRequested)]);
    expect(JSON.stringify([subject, content])).not.toMatch(/[{}]\w/);
  });

  it.each(NOTIFICATIONS)('%s names the site, and says what to do if the change is not yours', (name) => {
    const { subject, content } = mailOf(`${name}_notification`, locale);
    expect(`${subject} ${content.intro}`).toContain('room.example');
    expect(content.footer).toEqual([expect.stringMatching(notRequested)]);
    expect(JSON.stringify([subject, content])).not.toMatch(/[{}]\w/);
  });
});
