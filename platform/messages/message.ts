/** What a message is. */

/** The ways in which messages travel. */
export const CHANNELS = ['mail', 'sms', 'whatsapp'] as const;

/** How a message travels. */
export type Channel = (typeof CHANNELS)[number];

/** A message to one recipient. */
export interface Message {
  channel: Channel;
  /** What it is for, e.g. `recovery`: for people who look into the mailbox, and for tests. */
  kind: string;
  /** An email address, or the digits of a phone number. */
  recipient: string;
  /** Of mails. */
  subject?: string;
  text: string;
  /** Of mails. */
  html?: string;
  /** What the recipient is meant to open. */
  link?: string;
}
