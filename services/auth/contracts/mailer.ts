/** The interface of the mailer for endpoints. */

import type { Message } from '@greenroom/messages';
import type { MailKind } from '../settings/mail.ts';

/** The data of a mail. Fields that a kind of mail does not use are missing. */
export interface MailData {
  /** Recipient. */
  to: string;
  /** Current email address of the account. */
  email: string;
  userMetadata: Record<string, unknown>;
  /** Code for the user to type. */
  token?: string;
  /** Token of the link; undefined for mails without a link. */
  tokenHash?: string;
  /** Query parameter `type` of the link. */
  verificationType?: string;
  redirectTo?: string;
  /** Base of the link: public URL of the API. Default: the configured URL. */
  externalUrl?: string;
  newEmail?: string;
  oldEmail?: string;
  /** Phone number, digits only. */
  phone?: string;
  oldPhone?: string;
  provider?: string;
  factorType?: string;
}

/** Renders mails and SMS. */
export interface Mailer {
  compose(kind: MailKind, data: MailData): Promise<Message>;
  /** Returns the configured subject and template of a mail. */
  overrideOf(kind: MailKind): MailOverride;
  smsText: SmsText;
  /** Fetches templates that have an http or https URL. Until a template is loaded, the built-in mail is used. */
  load(): Promise<void>;
  close(): void;
}

/** The subject and template of one kind of mail; undefined: the built-in one. */
export interface MailOverride {
  subject: FilledTemplate | undefined;
  html: FilledTemplate | undefined;
}

/** Fills a template with variables. */
type FilledTemplate = (variables: object) => string;

/** Renders the text of an SMS. */
export type SmsText = (kind: SmsKind, code: string) => string;

/** Purpose of an SMS: a one-time code, or the code of a second factor. */
type SmsKind = 'code' | 'factor';
