/** The interface between delivery and the senders of mail and SMS. */
import type { Channel } from './message.ts';

/** A message to be sent now. */
export interface OutgoingMessage {
  id: string;
  channel: Channel;
  recipient: string;
  subject: string | null;
  text_body: string;
  html_body: string | null;
  /** One-time code in the text. */
  code: string | null;
}

/**
 * Outcome of one attempt. `providerId` is the provider's id of the message; `isPermanent` means that a retry would be
 * useless.
 */
export type SendOutcome =
  | { isSent: true; providerId: string | undefined }
  | { isSent: false; reason: string; isPermanent: boolean };

export interface Sender {
  /** The channels of the messages that it can send. */
  channels: readonly Channel[];
  /** Makes one attempt, until `signal` aborts. Unexpected errors reject, and are retried. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
}
