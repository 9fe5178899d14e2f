/**
 * Where services put messages: a statement, to be sent in the transaction that stores the code or link which the
 * message carries, so that neither exists without the other.
 */
import type { Statement } from '@greenroom/postgres';
import type { Channel, Message } from './message.ts';

/** Options of {@link createOutbox}. */
export interface OutboxOptions {
  /** Which kinds of messages leave this machine; the others are kept for administrators to read. */
  delivers: { mail: boolean; sms: boolean; whatsapp?: boolean };
  /** Called after a message was committed, so that it goes at once. */
  wake?: () => void;
}

/** What services need of mail and SMS. */
export interface Outbox {
  /** Puts a message into the outbox. For any role that may insert into `greenroom.messages`. */
  put(message: Message): Statement;
  /** Whether messages of a channel leave this machine; the others are kept for administrators to read. */
  leaves(channel: Channel): boolean;
  /** To be called once the transaction with the message is committed; what nobody announced goes a little later. */
  wake(): void;
}

/** Creates an outbox. */
export function createOutbox({ delivers, wake = () => {} }: OutboxOptions): Outbox {
  const leaves = (channel: Channel) => delivers[channel] ?? false;
  return {
    wake,
    leaves,
    put: ({ channel, kind, recipient, subject, text, html, link }) => ({
      name: 'messages_put',
      text: `insert into greenroom.messages (channel, kind, recipient, subject, text_body, html_body, link, state,
          next_attempt_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, 'epoch')`,
      values: [
        channel,
        kind,
        recipient,
        subject ?? null,
        text,
        html ?? null,
        link ?? null,
        leaves(channel) ? 'queued' : 'kept',
      ],
    }),
  };
}
