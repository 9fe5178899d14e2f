/** Hook SEND_SMS: sends our SMS in our place. */

import type { Hook } from '../contracts/hooks.ts';
import { findUserById } from '../user/find.ts';
import { toUser, type User, type UserRow } from '../user/user.ts';
import { emptyOutput } from './hook.ts';
import type { Sending } from './step.ts';

/** What an SMS is made of. */
interface SmsData {
  /** The code that people type. */
  otp: string;
  /** Digits. */
  phone: string;
  /** Only where the code is one of a second factor. */
  sms_type?: 'mfa';
}

/** What the hook reads. */
interface SendSmsInput {
  user: User;
  sms: SmsData;
}

const hook: Hook<unknown> = { name: 'sendSms', calledAs: 'send-sms', output: emptyOutput };

/** Leaves an SMS to the hook. */
export function smsByHook(userId: string, sms: SmsData): Sending {
  return {
    async send({ hooks }, request, tx) {
      const [user] = await tx.query<UserRow>(findUserById(userId));
      if (user === undefined) return;
      const input: SendSmsInput = { user: toUser(user), sms };
      await hooks.ask(hook, input, request, tx);
    },
  };
}
