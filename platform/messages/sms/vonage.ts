/** Vonage, SMS API: https://developer.vonage.com/en/api/sms */

import { z } from 'zod';
import type { SmsCredentials } from '../settings.ts';
import { accepted, refused, type SmsProvider, UNREADABLE } from './provider.ts';

/** One entry per part of a long text. */
const response = z.object({
  messages: z
    .array(
      z.object({
        'message-id': z.string().optional(),
        status: z.string(),
        'error-text': z.string().optional(),
      }),
    )
    .min(1),
});

const SUCCESS = '0';
/**
 * Throttled, internal error, too many connections; and problems that the operator has to resolve: wrong credentials or
 * signature, a blocked account, no money. Retrying does not help with any other status.
 */
const TEMPORARY = new Set(['1', '5', '10', '4', '14', '8', '9']);

/** Vonage. It also responds with status 200 to messages that it rejects. */
export const vonage: SmsProvider<SmsCredentials['vonage']> = {
  url: 'https://rest.nexmo.com',
  channels: ['sms'],
  request: ({ recipient, text_body }, { apiKey, apiSecret, from }) => ({
    path: '/sms/json',
    form: {
      from,
      to: recipient,
      text: text_body,
      api_key: apiKey,
      api_secret: apiSecret,
      ...(isAscii(text_body) ? {} : { type: 'unicode' }),
    },
  }),
  read(body) {
    const { data } = response.safeParse(body);
    if (data === undefined) return UNREADABLE;
    const bad = data.messages.find(({ status }) => status !== SUCCESS);
    if (bad === undefined) return accepted(data.messages[0]?.['message-id']);
    const reason = `${bad['error-text'] ?? 'no reason given'} (${bad.status})`;
    return refused(reason, { isPermanent: !TEMPORARY.has(bad.status) });
  },
  reasonOf: (body) => response.safeParse(body).data?.messages[0]?.['error-text'],
};

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
