/**
 * Twilio Verify, which creates, sends and checks codes itself: https://www.twilio.com/docs/verify/api/verification. Its
 * texts are templates at Twilio, so the text of a message is not used.
 */

import { z } from 'zod';
import type { SmsCredentials } from '../settings.ts';
import { accepted, type SmsProvider, type SmsRequest, UNREADABLE } from './provider.ts';
import { reasonOfTwilio, twilioAuthorization } from './twilio.ts';

const started = z.object({ sid: z.string() });
const checked = z.object({ status: z.string(), valid: z.boolean() });

type Credentials = SmsCredentials['twilio_verify'];

/** Requests a code. */
export const twilioVerify: SmsProvider<Credentials> = {
  url: 'https://verify.twilio.com',
  channels: ['sms', 'whatsapp'],
  request: ({ channel, recipient }, credentials) =>
    requestOf('Verifications', { To: `+${recipient}`, Channel: channel }, credentials),
  read(body) {
    const { data } = started.safeParse(body);
    return data === undefined ? UNREADABLE : accepted(data.sid);
  },
  reasonOf: reasonOfTwilio,
};

/** Returns the request that checks a code. @param phone digits of a phone number */
export function checkRequest(phone: string, code: string, credentials: Credentials): SmsRequest {
  return requestOf('VerificationCheck', { To: `+${phone}`, Code: code }, credentials);
}

/** Statuses about the code or its verification: wrong, used or expired, too many attempts. */
const DENIALS = new Set([400, 404, 429]);

/**
 * Reads whether a code is right from a response to {@link checkRequest}. Throws an error with the reason of any other
 * response, e.g. to wrong credentials.
 */
export function readCheck({ status, body }: { status: number; body: unknown }): boolean {
  const { data } = checked.safeParse(body);
  if (status >= 200 && status < 300 && data !== undefined) return data.status === 'approved' && data.valid;
  if (DENIALS.has(status)) return false;
  throw new Error(`${status}: ${reasonOfTwilio(body) ?? 'no reason given'}`);
}

function requestOf(resource: string, form: Record<string, string>, credentials: Credentials): SmsRequest {
  return {
    path: `/v2/Services/${encodeURIComponent(credentials.messageServiceSid)}/${resource}`,
    headers: { authorization: twilioAuthorization(credentials) },
    form,
  };
}
