/** Hook SEND_SMS: sends the service's SMS instead of the outbox. */

import type { Hook } from '../contracts/hooks.ts';
import { findUserById } from '../user/find.ts';
import { toUser, type User, type UserRow } from '../user/user.ts';
import { emptyOutput } from './hook.ts';
import type { HookMessage } from './step.ts';

/** The data of an SMS. */
interface SmsData {
  /** Code for the user to type. */
  otp: string;
  /** Digits only. */
  phone: string;
  /** Set only for the code of a second factor. */
  sms_type?: 'mfa';
}

/** The payload of the hook. */
interface SendSmsInput {
  user: User;
  sms: SmsData;
}

const hook: Hook<unknown> = { name: 'sendSms', payloadName: 'send-sms', output: emptyOutput };

/** Creates a step that sends an SMS by the hook. */
export function smsByHook(userId: string, sms: SmsData): HookMessage {
  return {
    async send({ hooks }, request, tx) {
      const [user] = await tx.query<UserRow>(findUserById(userId));
      if (user === undefined) return;
      const input: SendSmsInput = { user: toUser(user), sms };
      await hooks.call(hook, input, request, tx);
    },
  };
}
