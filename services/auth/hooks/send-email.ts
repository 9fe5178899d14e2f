/** Hook SEND_EMAIL: sends our mails in our place. */

import type { Hook } from '../contracts/hooks.ts';
import type { MailPurpose } from '../mail/purpose.ts';
import { findUserById } from '../user/find.ts';
import { toUser, type User, type UserRow } from '../user/user.ts';
import { emptyOutput } from './hook.ts';
import type { Sending } from './step.ts';

/** What a mail is made of. Times and addresses are in `user`. */
interface EmailData {
  /** The code that people type. */
  token: string;
  /** What the link carries. */
  token_hash: string;
  redirect_to: string;
  email_action_type: MailPurpose;
  /** Public URL of the API, without a path. */
  site_url: string;
  /** Of a change that both mailboxes confirm, the code for the new one; its link carries `token_hash`. */
  token_new: string;
  /** Of such a change, what the link for the current mailbox carries; its code is `token`. */
  token_hash_new: string;
  /** These four belong to notifications. */
  old_email: string;
  old_phone: string;
  provider: string;
  factor_type: string;
}

/** What the hook reads. */
interface SendEmailInput {
  user: User;
  email_data: EmailData;
}

const hook: Hook<unknown> = { name: 'sendEmail', calledAs: 'send-email', output: emptyOutput };

/** What is known of a mail when it is planned. */
export type PlannedEmail = Pick<EmailData, 'token' | 'token_hash' | 'redirect_to' | 'email_action_type'> &
  Partial<Pick<EmailData, 'token_new' | 'token_hash_new'>>;

/** Leaves a mail to the hook. */
export function emailByHook(userId: string, planned: PlannedEmail): Sending {
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
      await hooks.ask(hook, input, request, tx);
    },
  };
}
