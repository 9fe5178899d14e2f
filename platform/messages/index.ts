/** Mail and SMS: an outbox in the database, what delivers it, and the mailbox of what is not sent anywhere. */
export { type Delivery, type DeliveryOptions, type Sender, startDelivery } from './delivery.ts';
export { listMessages, type StoredMessage } from './mailbox.ts';
export type { Channel, Message } from './message.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';
export { createSmtpSender } from './smtp.ts';
