/** Mail and SMS: an outbox in the database, what delivers it, and the mailbox of what is not sent anywhere. */
export { type Delivery, type DeliveryOptions, startDelivery } from './delivery.ts';
export type { DeliveryLog } from './log.ts';
export {
  type ListedMessage,
  listMessages,
  MAX_PER_PAGE,
  type MessagePage,
  type MessageQuery,
  readMessage,
  type StoredMessage,
} from './mailbox.ts';
export { CHANNELS, type Channel, type Message } from './message.ts';
export { type Mailbox, openMailbox } from './open-mailbox.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';
export type { OutgoingMessage, Sender, SendOutcome } from './sender.ts';
export { createSmsSender } from './sms/sender.ts';
export { createSmtpSender } from './smtp.ts';
