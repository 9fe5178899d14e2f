/** Built-in mails: subject and content in the recipient's language. Each names the site by the host of SITE_URL. */

import type { MailData } from '../contracts/mailer.ts';
import type { MailKind, NotificationName } from '../settings/mail.ts';
import type { MailContent } from './layout.ts';
import { FACTOR_NAMES, NOT_YOUR_CHANGE, NOTIFICATION_TEXTS } from './notification-texts.ts';
import {
  CODE_HINT,
  type FlowMail,
  MAIL_TEXTS,
  type MailLanguage,
  type MailTexts,
  mailLanguageOf,
} from './texts.ts';

/**
 * Returns the subject and content of a built-in mail.
 * @param link target of the button; undefined: no button
 */
export function contentOf(
  kind: MailKind,
  data: MailData,
  { siteUrl, link }: { siteUrl: string; link: string | undefined },
): { subject: string; content: MailContent } {
  const language = mailLanguageOf(data.userMetadata);
  const { subject, heading, intro, action, footer } = textsOf(kind, language);
  const values = valuesOf(data, language, siteUrl);
  const content = {
    language,
    heading: fill(heading, values),
    intro: fill(intro, values),
    action,
    link,
    codeHint: CODE_HINT[language],
    code: data.token,
    footer: footer.map((line) => fill(line, values)),
  };
  return { subject: fill(subject, values), content };
}

/** Texts of a mail, with placeholders. */
interface Texts extends MailTexts {
  action?: string | undefined;
  footer: readonly string[];
}

function textsOf(kind: MailKind, language: MailLanguage): Texts {
  const name = /^(.*)_notification$/.exec(kind)?.[1] as NotificationName | undefined;
  if (name === undefined) {
    const { reason, notRequested, ...texts } = MAIL_TEXTS[language][kind as FlowMail];
    return { ...texts, footer: [reason, notRequested] };
  }
  return { ...NOTIFICATION_TEXTS[language][name], footer: [NOT_YOUR_CHANGE[language]] };
}

function valuesOf(data: MailData, language: MailLanguage, siteUrl: string): Record<string, string> {
  const { to, token, email, newEmail = '', oldEmail = '', phone, oldPhone, provider = '' } = data;
  return {
    code: token ?? '',
    email: email || newEmail || to,
    newEmail,
    oldEmail,
    phone: phone ? `+${phone}` : '',
    oldPhone: oldPhone ? `+${oldPhone}` : '',
    provider,
    factor: FACTOR_NAMES[language][data.factorType ?? ''] ?? data.factorType ?? '',
    site: new URL(siteUrl).host,
  };
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');
}
