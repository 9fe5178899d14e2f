/** Writing mails, as endpoints see it. */

import type { Message } from '@greenroom/messages';
import type { MailKind } from '../settings/mail.ts';

/** What a mail is about. What a kind of mail does not have is left out. */
export interface MailData {
  /** Who gets it. */
  to: string;
  /** Of the account. */
  email: string;
  userMetadata: Record<string, unknown>;
  /** The code that people type. */
  token?: string;
  /** The token that the link carries; none: there is no link. */
  tokenHash?: string;
  /** Parameter `type` of the link. */
  verificationType?: string;
  redirectTo?: string;
  /** Public URL of the API that the link begins with; undefined: the configured one. */
  externalUrl?: string;
  newEmail?: string;
  oldEmail?: string;
  /** Digits. */
  phone?: string;
  oldPhone?: string;
  provider?: string;
  factorType?: string;
}

/** Writes mails and SMS. */
export interface Mailer {
  compose(kind: MailKind, data: MailData): Promise<Message>;
  smsText: SmsText;
  /** Fetches templates that come from elsewhere; until then, and where they cannot be loaded, mails are ours. */
  load(): Promise<void>;
  close(): void;
}

/** Makes the text of an SMS. */
export type SmsText = (kind: SmsKind, code: string) => string;

/** What an SMS is for. */
type SmsKind = 'code' | 'factor';
