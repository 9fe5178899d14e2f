/** Writes mails: what somebody must be told, in their language, as a message for the outbox. */
import type { AuthConfig } from '@greenroom/config';
import type { Message } from '@greenroom/messages';
import { mailHtml, mailText } from './layout.ts';
import { confirmationUrl } from './links.ts';
import { COMMON_TEXTS, MAIL_TEXTS, type MailKind, mailLanguageOf } from './texts.ts';

export type { MailKind } from './texts.ts';

/** What a mail is about. */
export interface MailData {
  /** Who gets it. */
  to: string;
  /** Of the account. */
  email: string;
  /** The code that people type. */
  token: string;
  /** The token that the link carries. */
  tokenHash: string;
  /** Parameter `type` of the link. */
  verificationType: string;
  redirectTo: string;
  userMetadata: Record<string, unknown>;
  newEmail?: string;
}

/** Writes mails. */
export interface Mailer {
  compose(kind: MailKind, data: MailData): Promise<Message>;
}

/** Creates a writer of mails for this instance. */
export function createMailer({
  externalUrl,
  redirects,
}: Pick<AuthConfig, 'externalUrl' | 'redirects'>): Mailer {
  return {
    async compose(kind, data) {
      const language = mailLanguageOf(data.userMetadata);
      const { subject, heading, intro, action } = MAIL_TEXTS[language][kind];
      const common = COMMON_TEXTS[language];
      const { to, token: code, tokenHash, verificationType: type, redirectTo } = data;
      const link =
        action === undefined
          ? undefined
          : confirmationUrl({ externalUrl, token: tokenHash, type, redirectTo });
      const values = {
        to,
        code,
        email: data.email || data.newEmail || to,
        newEmail: data.newEmail ?? '',
        site: new URL(redirects.siteUrl).host,
      };
      const content = {
        language,
        heading,
        intro: fill(intro, values),
        action,
        link,
        codeHint: common.code,
        code,
        footer: [fill(common.sentTo, values), common.notYou],
      };
      return {
        channel: 'mail',
        kind: type,
        recipient: to,
        subject: fill(subject, values),
        text: mailText(content),
        html: mailHtml(content),
        ...(link === undefined ? {} : { link }),
      };
    },
  };
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');
}
