/** The HTTP API of the mailbox, for tests about its routes. */
export { createMailApi } from '../http/api.ts';
export { openMails } from '../mails/mails.ts';
