/** Converts a mail that was received by SMTP to a message of the mailbox. */
import PostalMime, { type Address, type Email } from 'postal-mime';
import type { MailAddress } from './mail.ts';
import type { StoredFields } from './rows.ts';
import { textOfHtml } from './text-of-html.ts';

/** A mail to store. */
export interface ReceivedMail {
  /** All recipients, for lists. */
  recipient: string;
  subject: string;
  text: string;
  html: string | null;
  fields: StoredFields;
  source: Buffer;
}

const MAX_SUBJECT_LENGTH = 2000;
const MAX_NESTED_PARTS = 30;
const MAX_HEADER_BYTES = 256 * 1024;
/** PostgreSQL stores no NUL in texts. */
const NUL = /\0/g;

/**
 * Parses a mail. Rejects if its structure exceeds a limit.
 * @param recipients addresses of the envelope, at least one
 */
export async function parseReceived(source: Buffer, recipients: readonly string[]): Promise<ReceivedMail> {
  const email = await parseEmail(source);
  const html = clean(email.html ?? '');
  return {
    recipient: recipients.join(', '),
    subject: clean(email.subject ?? '').slice(0, MAX_SUBJECT_LENGTH),
    text: clean(email.text ?? '') || textOfHtml(html),
    html: html === '' ? null : html,
    fields: fieldsOf(email, recipients),
    source,
  };
}

/** Parses the structure of a mail. Rejects if it exceeds a limit. */
export function parseEmail(source: Buffer): Promise<Email> {
  return PostalMime.parse(source, { maxNestingDepth: MAX_NESTED_PARTS, maxHeadersSize: MAX_HEADER_BYTES });
}

function fieldsOf(email: Email, recipients: readonly string[]): StoredFields {
  const [to, cc, replyTo] = [email.to, email.cc, email.replyTo].map((list) => addressesOf(list ?? []));
  const named = new Set([...(to ?? []), ...(cc ?? [])].map(({ address }) => address.toLowerCase()));
  return {
    recipients,
    messageId: clean(email.messageId ?? '').replace(/^<|>$/g, ''),
    from: addressesOf(email.from ? [email.from] : [])[0] ?? null,
    to: to ?? [],
    cc: cc ?? [],
    bcc: recipients
      .filter((recipient) => !named.has(recipient.toLowerCase()))
      .map((address) => ({ name: '', address })),
    replyTo: replyTo ?? [],
    attachmentCount: email.attachments.length,
  };
}

/** Returns addresses; those of a group are members of the list. */
function addressesOf(list: readonly Address[]): MailAddress[] {
  return list
    .flatMap((entry) => entry.group ?? [entry])
    .map(({ name, address }) => ({ name: clean(name), address: clean(address ?? '') }));
}

function clean(text: string): string {
  return text.replace(NUL, '').toWellFormed();
}
