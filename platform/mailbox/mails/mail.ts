/** The mails of the mailbox. */

/** An address with a name, which may be empty. */
export interface MailAddress {
  name: string;
  address: string;
}

/** Fields of the header. */
export interface MailFields {
  /** Without angle brackets; empty if the mail has none. */
  messageId: string;
  /** Undefined if the mail has none. */
  from: MailAddress | undefined;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  /** Recipients that the header does not name. */
  bcc: readonly MailAddress[];
  replyTo: readonly MailAddress[];
}

/** A mail without its content. */
export interface MailSummary extends MailFields {
  id: string;
  /** Addresses that the mail was sent to. */
  recipients: readonly string[];
  subject: string;
  receivedAt: Date;
  /** Bytes of the source of a received mail, or of the texts of a mail of the instance. */
  size: number;
  attachmentCount: number;
  /** The begin of the text. */
  textStart: string;
}

/** A whole mail. */
export interface Mail extends MailSummary {
  text: string;
  /** Empty if the mail has only a text. */
  html: string;
  /** The mail as a message of RFC 5322, with lines that end in CRLF. */
  source: Buffer;
}
