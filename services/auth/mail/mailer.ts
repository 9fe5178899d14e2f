/** Renders mails for the outbox, from built-in texts or configured templates. */

import type { Message } from '@greenroom/messages';
import type { MailData, Mailer, MailOverride } from '../contracts/mailer.ts';
import type { MailKind } from '../settings/mail.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { contentOf } from './content.ts';
import { mailHtml, mailText } from './layout.ts';
import { confirmationUrl } from './links.ts';
import { createOverrides } from './overrides.ts';
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
  return {
    smsText: createSmsText(config),
    load: overrides.load,
    close: overrides.close,
    overrideOf: overrides.of,
    async compose(kind, data) {
      return renderMail(kind, data, {
        config,
        override: overrides.of(kind),
        onProblem: ({ message: reason }) =>
          log.warn({ mail: kind, reason }, 'a mail template could not be filled: our own is used'),
      });
    },
  };
}

/** Options of {@link renderMail}. */
interface RenderOptions {
  config: Pick<MailerConfig, 'externalUrl' | 'redirects' | 'mail'>;
  override: MailOverride;
  /** Receives the error of a template that cannot be filled; the built-in mail is then used. */
  onProblem(error: Error): void;
}

/** Renders a mail, with a subject and a template that override the built-in ones. */
export function renderMail(kind: MailKind, data: MailData, options: RenderOptions): RenderedMail {
  const { config, override, onProblem } = options;
  const { siteUrl } = config.redirects;
  const link = linkOf(kind, data, config);
  const { subject, content } = contentOf(kind, data, { siteUrl, link });
  const builtIn = { subject, text: mailText(content), html: mailHtml(content) };
  return {
    channel: 'mail',
    kind: data.verificationType ?? kind,
    recipient: data.to,
    ...builtIn,
    ...renderOverride(override, variablesOf(data, siteUrl, link), onProblem),
    ...(link === undefined ? {} : { link }),
  };
}

type RenderedMail = Message & { subject: string; html: string };

/** Undefined for mails without a link. A reauthentication has only a code, because the user is signed in. */
function linkOf(
  kind: MailKind,
  { tokenHash: token, verificationType: type, redirectTo, externalUrl }: MailData,
  config: RenderOptions['config'],
): string | undefined {
  if (kind === 'reauthentication' || token === undefined || type === undefined) return undefined;
  const parts = { externalUrl: externalUrl ?? config.externalUrl, token, type };
  return confirmationUrl({ ...parts, redirectTo: redirectTo ?? config.redirects.siteUrl }, config.mail);
}

/** Renders the configured subject and template of a mail. If that fails, reports the problem and overrides nothing. */
function renderOverride(
  { subject, html }: MailOverride,
  variables: object,
  onProblem: (error: Error) => void,
): Partial<Record<'subject' | 'text' | 'html', string>> {
  try {
    // PostgreSQL cannot store NUL in text.
    const own = html?.(variables).replaceAll('\0', '');
    return {
      ...(subject && { subject: oneLine(subject(variables)) }),
      ...(own === undefined ? {} : { html: own, text: plainTextOf(own) }),
    };
  } catch (error) {
    onProblem(error as Error);
    return {};
  }
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT_LENGTH);
}
