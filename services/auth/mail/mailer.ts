/** Renders mails for the outbox, from built-in texts or configured templates. */

import type { MailData, Mailer } from '../contracts/mailer.ts';
import type { MailKind } from '../settings/mail.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { contentOf } from './content.ts';
import { mailHtml, mailText } from './layout.ts';
import { confirmationUrl } from './links.ts';
import { createOverrides, type Override } from './overrides.ts';
import { plainTextOf } from './plain-text.ts';
import type { MailLog } from './remote-template.ts';
import { createSmsText } from './sms-text.ts';
import { variablesOf } from './variables.ts';

/** The configuration of the mailer. */
type MailerConfig = Pick<AuthConfig, 'externalUrl' | 'redirects' | 'mail' | 'smsTemplate' | 'factors'>;

const SILENT: MailLog = { info() {}, warn() {} };
const MAX_SUBJECT_LENGTH = 255;

/** Creates the mailer of this instance. Throws `ConfigError` for an invalid template. */
export function createMailer(config: MailerConfig, log: MailLog = SILENT): Mailer {
  const overrides = createOverrides(config.mail, log);
  const { siteUrl } = config.redirects;
  return {
    smsText: createSmsText(config),
    load: overrides.load,
    close: overrides.close,
    async compose(kind, data) {
      const link = linkOf(kind, data, config);
      const { subject, content } = contentOf(kind, data, { siteUrl, link });
      const builtIn = { subject, text: mailText(content), html: mailHtml(content) };
      const override = renderOverride(overrides.of(kind), variablesOf(data, siteUrl, link), (reason) =>
        log.warn({ mail: kind, reason }, 'a mail template could not be filled: our own is used'),
      );
      return {
        channel: 'mail',
        kind: data.verificationType ?? kind,
        recipient: data.to,
        ...builtIn,
        ...override,
        ...(link === undefined ? {} : { link }),
      };
    },
  };
}

/** Undefined for mails without a link. A reauthentication has only a code, because the user is signed in. */
function linkOf(
  kind: MailKind,
  { tokenHash: token, verificationType: type, redirectTo, externalUrl }: MailData,
  config: MailerConfig,
): string | undefined {
  if (kind === 'reauthentication' || token === undefined || type === undefined) return undefined;
  const parts = { externalUrl: externalUrl ?? config.externalUrl, token, type };
  return confirmationUrl({ ...parts, redirectTo: redirectTo ?? config.redirects.siteUrl }, config.mail);
}

/** Renders the configured subject and template of a mail. If that fails, reports the problem and overrides nothing. */
function renderOverride(
  { subject, html }: Override,
  variables: object,
  onProblem: (reason: string) => void,
): Partial<Record<'subject' | 'text' | 'html', string>> {
  try {
    // PostgreSQL cannot store NUL in text.
    const own = html?.(variables).replaceAll('\0', '');
    return {
      ...(subject && { subject: oneLine(subject(variables)) }),
      ...(own === undefined ? {} : { html: own, text: plainTextOf(own) }),
    };
  } catch (error) {
    onProblem((error as Error).message);
    return {};
  }
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT_LENGTH);
}
