/**
 * The outbox of services: returns a statement to run in the transaction that stores the code or link of the message, so
 * that neither is stored without the other.
 */
import type { Statement } from '@greenroom/postgres';
import type { Channel, Message } from './message.ts';

/** Options of {@link createOutbox}. */
export interface OutboxOptions {
  /** Whether messages of each kind are sent; the others are kept for administrators. */
  delivers: { mail: boolean; sms: boolean; whatsapp?: boolean };
  /** Called after a message was committed, so that it is sent immediately. */
  wake?: () => void;
}

/** The functions for mail and SMS that services use. */
export interface Outbox {
  /** Returns the statement that inserts a message. Roles of services need the right to insert into `greenroom.outbox`. */
  put(message: Message): Statement;
  /** Whether messages of a channel are sent; the others are kept for administrators. */
  isDelivered(channel: Channel): boolean;
  /**
   * Must be called when the transaction with the message has been committed; otherwise the message is sent a little
   * later.
   */
  wake(): void;
}

export function createOutbox({ delivers, wake = () => {} }: OutboxOptions): Outbox {
  const isDelivered = (channel: Channel) => delivers[channel] ?? false;
  return {
    wake,
    isDelivered,
    put: ({ channel, kind, recipient, subject, text, code, html, link }) => ({
      name: 'messages_put',
      text: `insert into greenroom.outbox (channel, kind, recipient, subject, text_body, html_body, link, state, code,
          next_attempt_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'epoch')`,
      values: [
        channel,
        kind,
        recipient,
        subject ?? null,
        text,
        html ?? null,
        link ?? null,
        isDelivered(channel) ? 'queued' : 'kept',
        (isDelivered(channel) && code) || null,
      ],
    }),
  };
}
