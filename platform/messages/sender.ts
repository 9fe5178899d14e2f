/** What delivery needs of a way of sending, whatever it is. */
import type { Channel } from './message.ts';

/** A message that is to be sent now. */
export interface OutgoingMessage {
  id: string;
  channel: Channel;
  recipient: string;
  subject: string | null;
  text_body: string;
  html_body: string | null;
}

/**
 * What became of one attempt. `providerId` is the provider's name for the message; `isPermanent` says that there is no
 * sense in trying again.
 */
export type SendOutcome =
  | { isSent: true; providerId: string | undefined }
  | { isSent: false; reason: string; isPermanent: boolean };

/** Sends messages. */
export interface Sender {
  /** What it can send. */
  channels: readonly Channel[];
  /** Tries once, until `signal` says that it takes too long. Surprises reject, and are worth another attempt. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
}
