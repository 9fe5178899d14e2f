/**
 * The local mailbox: mails that an instance keeps, and mails that programs of this machine send to it, for tests and
 * development. Servers of HTTP, SMTP and POP3 on the loopback; each loads its code with its first connection.
 */
export { type MailboxServers, openMailboxServers } from './open-servers.ts';
