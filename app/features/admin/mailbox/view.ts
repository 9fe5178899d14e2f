/** What the server says of the mailbox to its page. */
import type { Later } from '../../../lib/later.ts';
import type { MessagePage, OpenMessage } from './messages.ts';

/** One page of the list, or why there is none. */
export type MessageList = ({ kind: 'page' } & MessagePage) | { kind: 'problem'; text: string };

/** The message that is open. */
export type OpenResult =
  | { kind: 'none' }
  | { kind: 'open'; message: OpenMessage }
  | { kind: 'gone' }
  | { kind: 'problem' };

/** All of it. `now` is the server's time in seconds since 1970, so that ages are the same there and in the browser. */
export type MailboxView =
  | { kind: 'refused'; reason: 'not-admin' | 'second-factor-needed' }
  /** After a form: shown on the page that its loader makes. */
  | { kind: 'not-deleted' }
  | { kind: 'mailbox'; list: Later<MessageList>; open: OpenResult; now: number };
