/** The columns of `greenroom.messages` that mails are read from. */
import type { Mail, MailAddress, MailFields, MailSummary } from './mail.ts';

/** The column `mail` of a received mail. */
export interface StoredFields {
  /** Addresses of the envelope. */
  recipients: readonly string[];
  messageId: string;
  from: MailAddress | null;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  bcc: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  attachmentCount: number;
}

/** A row of a list. */
export interface SummaryRow {
  id: string;
  recipient: string;
  subject: string | null;
  created_at: Date;
  /** Null for a mail of the instance. */
  mail: StoredFields | null;
  text_start: string;
  size: number;
}

/** A row with its content. */
export interface MailRow extends SummaryRow {
  text_body: string;
  html_body: string | null;
  /** Null for a mail of the instance. */
  source: Buffer | null;
}

const TEXT_START_LENGTH = 1000;

export const SUMMARY_COLUMNS = `id, recipient, subject, created_at, mail,
  left(text_body, ${TEXT_START_LENGTH}) as text_start,
  coalesce(octet_length(source), octet_length(text_body) + coalesce(octet_length(html_body), 0)) as size`;

/** The condition of rows that are mails of the mailbox. */
export const IS_MAIL = `state = 'kept' and channel = 'mail'`;

/** Converts a row. @param sender of the mails of the instance */
export function toSummary(row: SummaryRow, sender: MailAddress): MailSummary {
  return {
    id: row.id,
    recipients: row.mail?.recipients ?? [row.recipient],
    subject: row.subject ?? '',
    receivedAt: row.created_at,
    size: row.size,
    attachmentCount: row.mail?.attachmentCount ?? 0,
    textStart: row.text_start,
    ...fieldsOf(row, sender),
  };
}

function fieldsOf({ id, recipient, mail }: SummaryRow, sender: MailAddress): MailFields {
  if (mail !== null) {
    const { messageId, from, to, cc, bcc, replyTo } = mail;
    return { messageId, from: from ?? undefined, to, cc, bcc, replyTo };
  }
  const [, domain = 'localhost'] = sender.address.split('@');
  const to = [{ name: '', address: recipient }];
  return { messageId: `${id}@${domain}`, from: sender, to, cc: [], bcc: [], replyTo: [] };
}

/** The content of a row; `source` is undefined for a mail of the instance. */
export function contentOf(row: MailRow): Pick<Mail, 'text' | 'html'> & { source: Buffer | undefined } {
  return { text: row.text_body, html: row.html_body ?? '', source: row.source ?? undefined };
}
