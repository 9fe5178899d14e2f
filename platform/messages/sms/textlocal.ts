/** textlocal (India), send API: https://api.textlocal.in/docs/sendsms */

import { z } from 'zod';
import type { SmsCredentials } from '../settings.ts';
import { accepted, refused, type SmsProvider, UNREADABLE } from './provider.ts';

const response = z.object({
  status: z.string(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).optional(),
  messages: z.array(z.object({ id: z.union([z.string(), z.number()]) })).optional(),
});

/** Error codes that the operator has to resolve: wrong key, no money. */
const OPERATOR_CODES = new Set([3, 7]);

/** textlocal. It also responds with status 200 to messages that it rejects. */
export const textlocal: SmsProvider<SmsCredentials['textlocal']> = {
  url: 'https://api.textlocal.in',
  channels: ['sms'],
  request: ({ recipient, text_body }, { apiKey, sender }) => ({
    path: '/send',
    form: { sender, apikey: apiKey, message: text_body, numbers: recipient },
  }),
  read(body) {
    const { data } = response.safeParse(body);
    if (data === undefined) return UNREADABLE;
    if (data.status !== 'success') {
      const isPermanent = !OPERATOR_CODES.has(data.errors?.[0]?.code ?? 0);
      return refused(firstError(body) ?? `status ${data.status}`, { isPermanent });
    }
    const [message] = data.messages ?? [];
    return accepted(message && String(message.id));
  },
  reasonOf: firstError,
};

function firstError(body: unknown): string | undefined {
  const [first] = response.safeParse(body).data?.errors ?? [];
  return first && `${first.message} (${first.code})`;
}
