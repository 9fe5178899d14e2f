/** Mail and SMS: an outbox in the database, its delivery, and the mailbox of messages that are not sent. */
export { type Delivery, startDelivery } from './delivery.ts';
export {
  type ListedMessage,
  listMessages,
  MAX_PER_PAGE,
  MESSAGE_STATES,
  type MessageState,
  readMessage,
  type StoredMessage,
} from './mailbox.ts';
export { CHANNELS, type Channel, type Message } from './message.ts';
export { type Mailbox, openMailbox } from './open-mailbox.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';
export { storeProjectMailSettings } from './project-mails.ts';
export { type OutboxDepth, outboxDepth } from './queue.ts';
export type { Sender } from './sender.ts';
export { type CodeCheck, createCodeCheck } from './sms/code-check.ts';
export { probeSms } from './sms/probe.ts';
export { createSmsSender } from './sms/sender.ts';
export { createSmtpSender, probeSmtp } from './smtp.ts';
