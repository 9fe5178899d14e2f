/** Built-in mails: subject and content in the recipient's language. */

import type { MailData } from '../contracts/mailer.ts';
import type { MailKind, NotificationName } from '../settings/mail.ts';
import type { MailContent } from './layout.ts';
import { FACTOR_NAMES, NOT_YOU, NOTIFICATION_TEXTS } from './notification-texts.ts';
import { COMMON_TEXTS, type FlowMail, MAIL_TEXTS, type MailLanguage, mailLanguageOf } from './texts.ts';

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
  const texts = textsOf(kind, language);
  const common = COMMON_TEXTS[language];
  const values = valuesOf(data, language, siteUrl);
  const content = {
    language,
    heading: texts.heading,
    intro: fill(texts.intro, values),
    action: texts.action,
    link,
    codeHint: common.code,
    code: data.token,
    footer: [fill(common.sentTo, values), fill(texts.notYou, values)],
  };
  return { subject: fill(texts.subject, values), content };
}

function textsOf(kind: MailKind, language: MailLanguage) {
  const name = /^(.*)_notification$/.exec(kind)?.[1] as NotificationName | undefined;
  if (name === undefined) {
    return { ...MAIL_TEXTS[language][kind as FlowMail], notYou: COMMON_TEXTS[language].notYou };
  }
  return { ...NOTIFICATION_TEXTS[language][name], notYou: NOT_YOU[language] };
}

function valuesOf(data: MailData, language: MailLanguage, siteUrl: string): Record<string, string> {
  const { to, token, email, newEmail = '', oldEmail = '', phone, oldPhone, provider = '' } = data;
  return {
    to,
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
