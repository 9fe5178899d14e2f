/** The channels of messages. */
export const CHANNELS = ['mail', 'sms', 'whatsapp'] as const;

export type Channel = (typeof CHANNELS)[number];

/** A message to one recipient. */
export interface Message {
  channel: Channel;
  /** The purpose of the message, e.g. `recovery`, for readers of the mailbox and for tests. */
  kind: string;
  /** An email address, or the digits of a phone number. */
  recipient: string;
  /** Subject of a mail. */
  subject?: string;
  text: string;
  /** One-time code in the text, for providers whose messages have a template of their own. */
  code?: string;
  /** HTML part of a mail. */
  html?: string;
  /** The link that the recipient should open. */
  link?: string;
}
