/** The check of codes that the provider of SMS has created. */
import type { SmsSettings } from '../settings.ts';
import { post } from './post.ts';
import { checkRequest, readCheck, twilioVerify } from './twilio-verify.ts';

/**
 * Whether a code is the one that the provider has sent to a number. A right code can be used once. Rejects if the provider
 * does not respond, or rejects the credentials.
 * @param phone digits of a phone number
 */
export type CodeCheck = (phone: string, code: string) => Promise<boolean>;

/** Creates the check; undefined if the provider sends codes of the instance. */
export function createCodeCheck(settings: SmsSettings | undefined): CodeCheck | undefined {
  if (settings?.provider !== 'twilio_verify') return undefined;
  const { credentials, url = twilioVerify.url } = settings;
  return async (phone, code) => readCheck(await post(url, checkRequest(phone, code, credentials)));
}
