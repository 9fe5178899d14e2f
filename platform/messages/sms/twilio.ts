/** Twilio, Programmable Messaging: https://www.twilio.com/docs/messaging/api/message-resource */

import { z } from 'zod';
import type { SmsCredentials } from '../settings.ts';
import { accepted, refused, type SmsProvider, UNREADABLE } from './provider.ts';

const VERSION = '2010-04-01';

const created = z.object({
  sid: z.string(),
  status: z.string(),
  error_code: z.union([z.number(), z.string()]).nullish(),
  error_message: z.string().nullish(),
});
const problem = z.object({ code: z.number().optional(), message: z.string() });

/**
 * Returns sender and recipient. `from` may be the sid of a messaging service; a phone number that sends by WhatsApp
 * gets a prefix.
 */
function addresses(channel: string, recipient: string, from: string): { To: string; From: string } {
  const to = `+${recipient}`;
  if (channel !== 'whatsapp') return { To: to, From: from };
  const isNumber = /^\+?[1-9][0-9 ]{1,18}$/.test(from);
  return { To: `whatsapp:${to}`, From: isNumber ? `whatsapp:${from}` : from };
}

/**
 * Returns the content of a message. WhatsApp accepts the first message of a business only as an approved template, whose
 * first variable is the code.
 */
function contentOf(
  { channel, text_body, code }: Parameters<SmsProvider<unknown>['request']>[0],
  contentSid: string | undefined,
): Record<string, string> {
  if (channel !== 'whatsapp' || contentSid === undefined || code === null) return { Body: text_body };
  return { ContentSid: contentSid, ContentVariables: JSON.stringify({ 1: code }) };
}

/** Twilio. */
export const twilio: SmsProvider<SmsCredentials['twilio']> = {
  url: 'https://api.twilio.com',
  channels: ['sms', 'whatsapp'],
  request: (message, { accountSid, authToken, messageServiceSid, contentSid }) => ({
    path: `/${VERSION}/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { authorization: twilioAuthorization({ accountSid, authToken }) },
    form: {
      ...addresses(message.channel, message.recipient, messageServiceSid),
      Channel: message.channel,
      ...contentOf(message, contentSid),
    },
  }),
  read(body) {
    const message = created.safeParse(body);
    if (!message.success) return UNREADABLE;
    const { sid, status, error_code, error_message } = message.data;
    if (status !== 'failed' && status !== 'undelivered') return accepted(sid);
    return refused(`${status}: ${error_message ?? ''} (${error_code ?? 'no code'})`, { isPermanent: true });
  },
  reasonOf: reasonOfTwilio,
};

/** Returns the header `Authorization` for all APIs of Twilio. */
export function twilioAuthorization({
  accountSid,
  authToken,
}: {
  accountSid: string;
  authToken: string;
}): string {
  return `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
}

/** Returns the reason in an error of any API of Twilio. */
export function reasonOfTwilio(body: unknown): string | undefined {
  const { data } = problem.safeParse(body);
  return data && `${data.message} (${data.code ?? 'no code'})`;
}
