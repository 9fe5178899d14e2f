/** Samples of mails: data for previews, and the built-in mails as templates to start from. */
import type { MailData } from '../contracts/mailer.ts';
import { type MailKind, NOTIFICATION } from '../settings/mail.ts';
import { contentOf } from './content.ts';
import { mailHtml } from './layout.ts';
import type { MailLanguage } from './texts.ts';

const TYPES: Partial<Record<MailKind, string>> = {
  confirmation: 'signup',
  recovery: 'recovery',
  magic_link: 'magiclink',
  invite: 'invite',
  email_change: 'email_change',
  reauthentication: 'reauthentication',
};

const ADDRESS = 'ada@example.org';
const NEW_ADDRESS = 'ada.lovelace@example.org';

/** Returns data for a preview in a language. The link has no token of the instance. */
export function sampleData(kind: MailKind, language: MailLanguage, to = ADDRESS): MailData {
  const shared = { to, email: ADDRESS, userMetadata: { locale: language, name: 'Ada Lovelace' } };
  if (NOTIFICATION.test(kind))
    return {
      ...shared,
      oldEmail: 'ada.byron@example.org',
      phone: '447700900123',
      oldPhone: '447700900456',
      provider: 'example',
      factorType: 'totp',
    };
  return {
    ...shared,
    token: '123456',
    tokenHash: 'sample-of-a-token',
    verificationType: TYPES[kind] ?? 'signup',
    ...(kind === 'email_change' && { newEmail: NEW_ADDRESS }),
  };
}

/** Returns the built-in mail of a language as a template with variables. */
export function builtInTemplate(
  kind: MailKind,
  language: MailLanguage,
  siteUrl: string,
): { subject: string; html: string } {
  const isNotification = NOTIFICATION.test(kind);
  const variables: MailData = {
    to: '{{ .SendingTo }}',
    email: '{{ .Email }}',
    userMetadata: { locale: language },
    newEmail: '{{ .NewEmail }}',
    oldEmail: '{{ .OldEmail }}',
    phone: '{{ .Phone }}',
    oldPhone: '{{ .OldPhone }}',
    provider: '{{ .Provider }}',
    factorType: '{{ .FactorType }}',
    ...(!isNotification && { token: '{{ .Token }}' }),
  };
  const hasLink = !isNotification && kind !== 'reauthentication';
  const link = hasLink ? '{{ .ConfirmationURL }}' : undefined;
  const { subject, content } = contentOf(kind, variables, { siteUrl, link });
  return { subject, html: mailHtml(content) };
}
