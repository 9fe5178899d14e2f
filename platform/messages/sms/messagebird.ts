/** MessageBird, SMS messaging: https://developers.messagebird.com/api/sms-messaging */

import { z } from 'zod';
import type { SmsCredentials } from '../settings.ts';
import { accepted, refused, type SmsProvider, UNREADABLE } from './provider.ts';

const created = z.object({ id: z.string(), recipients: z.object({ totalSentCount: z.number() }) });
const problem = z.object({
  errors: z.array(z.object({ code: z.number().optional(), description: z.string() })).min(1),
});

/** MessageBird. */
export const messagebird: SmsProvider<SmsCredentials['messagebird']> = {
  url: 'https://rest.messagebird.com',
  channels: ['sms'],
  request: ({ recipient, text_body }, { accessKey, originator }) => ({
    path: '/messages',
    headers: { authorization: `AccessKey ${accessKey}` },
    form: { originator, body: text_body, recipients: recipient, type: 'sms', datacoding: 'unicode' },
  }),
  read(body) {
    const message = created.safeParse(body);
    if (!message.success) return UNREADABLE;
    const { id, recipients } = message.data;
    return recipients.totalSentCount > 0
      ? accepted(id)
      : refused('accepted for no recipient (totalSentCount is 0)', { isPermanent: true });
  },
  reasonOf: (body) => {
    const [first] = problem.safeParse(body).data?.errors ?? [];
    return first && `${first.description} (${first.code ?? 'no code'})`;
  },
};
