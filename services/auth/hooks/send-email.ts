/** Hook SEND_EMAIL: sends the service's mails instead of the outbox. */

import type { Hook } from '../contracts/hooks.ts';
import type { MailPurpose } from '../mail/purpose.ts';
import { findUserById } from '../user/find.ts';
import { toUser, type User, type UserRow } from '../user/user.ts';
import { emptyOutput } from './hook.ts';
import type { HookMessage } from './step.ts';

/** The data of a mail. Times and addresses are in `user`. */
interface EmailData {
  /** Code for the user to type. */
  token: string;
  /** Token of the link. */
  token_hash: string;
  redirect_to: string;
  email_action_type: MailPurpose;
  /** Public URL of the API, without a path. */
  site_url: string;
  /** If both mailboxes confirm a change: the code for the new mailbox. Its link has `token_hash`. */
  token_new: string;
  /** If both mailboxes confirm a change: the token of the link for the current mailbox. Its code is `token`. */
  token_hash_new: string;
  /** GoTrue sets the next four fields for notifications; here they are empty. */
  old_email: string;
  old_phone: string;
  provider: string;
  factor_type: string;
}

/** The payload of the hook. */
interface SendEmailInput {
  user: User;
  email_data: EmailData;
}

const hook: Hook<unknown> = { name: 'sendEmail', payloadName: 'send-email', output: emptyOutput };

/** The data that is known when a mail is planned. */
export type PlannedEmail = Pick<EmailData, 'token' | 'token_hash' | 'redirect_to' | 'email_action_type'> &
  Partial<Pick<EmailData, 'token_new' | 'token_hash_new'>>;

/** Creates a step that sends a mail by the hook. */
export function emailByHook(userId: string, planned: PlannedEmail): HookMessage {
  return {
    async send({ hooks, config }, request, tx) {
      const [user] = await tx.query<UserRow>(findUserById(userId));
      if (user === undefined) return;
      const input: SendEmailInput = {
        user: toUser(user),
        email_data: {
          token_new: '',
          token_hash_new: '',
          old_email: '',
          old_phone: '',
          provider: '',
          factor_type: '',
          site_url: config.externalUrl,
          ...planned,
        },
      };
      await hooks.call(hook, input, request, tx);
    },
  };
}
