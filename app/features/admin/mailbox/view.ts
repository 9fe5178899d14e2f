/** Types of the mailbox's data. */
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import type { MessagePage, OpenMessage } from './messages.ts';

/** One page of the list, or the reason why it is missing. */
export type MessageList = ({ kind: 'page' } & MessagePage) | { kind: 'problem'; text: string };

/** The open message. */
export type OpenResult =
  | { kind: 'none' }
  | { kind: 'open'; message: OpenMessage }
  | { kind: 'gone' }
  | { kind: 'problem' };

/**
 * All data. `now` is the server's time in seconds since 1970, so that server and browser show the same
 * ages.
 */
export type MailboxView =
  | { kind: 'refused'; reason: 'not-admin' | 'second-factor-needed' }
  /** The result of a form, which is shown with the loader's data. */
  | { kind: 'not-deleted' }
  | { kind: 'mailbox'; list: MaybePromise<MessageList>; open: OpenResult; now: number };

/** The result of a form that failed, which is shown with the loader's data. */
export interface FailedDelivery {
  kind: 'delivery-failed';
  reason: 'gone' | 'failed';
}
