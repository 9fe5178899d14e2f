/**
 * GET /admin/templates, POST /admin/templates/preview and /admin/templates/send: the texts of mails and SMS, drafts of them as the
 * service would render them, and drafts sent to an address. GoTrue has no such endpoints. Like the mailbox, they need two factors
 * of a signed-in admin. Drafts are stored by the instance, not here.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Message } from '@greenroom/messages';
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { MailOverride } from '../contracts/mailer.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { renderMail } from '../mail/mailer.ts';
import { builtInTemplate, sampleData } from '../mail/sample.ts';
import { compileHtml, compileText } from '../mail/template/index.ts';
import { variableNamesOf } from '../mail/template-variables.ts';
import type { MailLanguage } from '../mail/texts.ts';
import { MAIL_KINDS, type MailKind, NOTIFICATION } from '../settings/mail.ts';
import { parseEmail } from '../user/email-address.ts';
import { parsePhone } from '../user/phone-number.ts';
import { requireMailboxAdmin } from './messages.ts';

const LANGUAGES: readonly MailLanguage[] = ['en', 'de'];
const SMS_KINDS = ['sms', 'mfa_sms'] as const;
type SmsKind = (typeof SMS_KINDS)[number];
type TemplateKind = MailKind | SmsKind;
const KINDS: readonly TemplateKind[] = [...MAIL_KINDS, ...SMS_KINDS];
const SAMPLE_CODE = '123456';
/** Kind of messages that are test sends. */
const TEST_KIND = 'test';

const HEADERS = { 'cache-control': 'no-store' };

/** A text of null means the built-in one; a missing text, the configured one. */
const draftText = z.string().max(1_000_000).nullish();
const draft = z.object({ kind: textField, subject: draftText, body: draftText });
const sending = draft.extend({ to: textField, language: textField });
type Draft = z.output<typeof draft>;

/** Returns all templates with their configured texts and the variables that they may use. */
export async function listTemplates(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const mails = await Promise.all(MAIL_KINDS.map((kind) => describeMail(context, kind)));
  const { config, hooks } = context;
  const messages = [
    { kind: 'sms', channel: 'sms', body: config.smsTemplate, variables: ['Code'] },
    { kind: 'mfa_sms', channel: 'sms', body: config.factors.phoneTemplate, variables: ['Code'] },
  ];
  return {
    status: 200,
    headers: HEADERS,
    body: {
      templates: [...mails, ...messages],
      replaced_by_hook: { mail: hooks.isSet('sendEmail'), sms: hooks.isSet('sendSms') },
    },
  };
}

/** Renders a draft in each language. Responds with 400 and the place of a mistake. */
export async function previewTemplate(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const fields = parseBody(request.body, draft);
  const kind = kindOf(fields.kind);
  const rendered = LANGUAGES.map((language) => {
    const { subject = '', text, html = null } = render(context, kind, fields, { language });
    return [language, { subject, text, html }];
  });
  return { status: 200, headers: HEADERS, body: Object.fromEntries(rendered) };
}

/** Sends a draft with sample data to an address or a phone number. */
export async function sendTemplate(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const fields = parseBody(request.body, sending);
  const kind = kindOf(fields.kind);
  const language = fields.language === 'de' ? 'de' : 'en';
  const to = isSms(kind) ? parsePhone(fields.to) : parseEmail(fields.to);
  const { link: _, ...message } = render(context, kind, fields, { language, to });
  const { outbox, database } = context;
  await database.query(outbox.put({ ...message, kind: TEST_KIND, recipient: to }));
  outbox.wake();
  const channel = isSms(kind) ? 'sms' : 'mail';
  return { status: 200, headers: HEADERS, body: { is_delivered: outbox.isDelivered(channel) } };
}

async function describeMail({ config }: AuthContext, kind: MailKind) {
  const { siteUrl } = config.redirects;
  const { subject, template } = config.mail.overrides[kind];
  const notification = kind.replace(NOTIFICATION, '') as keyof typeof config.mail.notifies;
  return {
    kind,
    channel: 'mail',
    subject: subject ?? null,
    body: template === undefined ? null : await readTemplate(template),
    location: template ?? null,
    variables: variableNamesOf(kind),
    is_enabled: NOTIFICATION.test(kind) ? config.mail.notifies[notification] : true,
    built_in: {
      en: builtInTemplate(kind, 'en', siteUrl),
      de: builtInTemplate(kind, 'de', siteUrl),
    },
  };
}

/** Null for a template of a URL, and for a file that has disappeared since the start. */
async function readTemplate(location: string): Promise<string | null> {
  if (/^https?:/i.test(location)) return null;
  const path = /^file:/i.test(location) ? fileURLToPath(location) : location;
  return readFile(path, 'utf8').catch(() => null);
}

function render(
  { config, mailer }: AuthContext,
  kind: TemplateKind,
  fields: Draft,
  { language, to }: { language: MailLanguage; to?: string },
): Message {
  if (isSms(kind)) {
    const configured = kind === 'sms' ? config.smsTemplate : config.factors.phoneTemplate;
    return renderSms(fields.body ?? configured, to ?? '447700900123');
  }
  const onProblem = (error: Error) => {
    throw wrongTemplate('body', error);
  };
  const override = overrideOf(fields, mailer.overrideOf(kind));
  return renderMail(kind, sampleData(kind, language, to), { config, override, onProblem });
}

function renderSms(template: string, recipient: string): Message {
  const text = compiled('body', () => compileText(template))({ Code: SAMPLE_CODE });
  if (!text.includes(SAMPLE_CODE)) throw wrongTemplate('body', new Error('it does not contain {{ .Code }}'));
  return { channel: 'sms', kind: TEST_KIND, recipient, text };
}

function overrideOf({ subject, body }: Draft, configured: MailOverride): MailOverride {
  return {
    subject:
      subject === undefined
        ? configured.subject
        : subject === null
          ? undefined
          : compiled('subject', () => compileText(subject)),
    html:
      body === undefined
        ? configured.html
        : body === null
          ? undefined
          : compiled('body', () => compileHtml(body)),
  };
}

function compiled<T>(field: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw wrongTemplate(field, error as Error);
  }
}

function wrongTemplate(field: string, { message }: Error) {
  return failure('validation_failed', { message: `${field}: ${message}` });
}

function kindOf(text: string): TemplateKind {
  const kind = KINDS.find((known) => known === text);
  if (kind === undefined)
    throw failure('validation_failed', { message: `kind must be one of ${KINDS.join(', ')}` });
  return kind;
}

function isSms(kind: TemplateKind): kind is SmsKind {
  return kind === 'sms' || kind === 'mfa_sms';
}
