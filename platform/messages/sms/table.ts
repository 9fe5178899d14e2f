/**
 * The table of SMS providers. A new provider is a file in this folder, an entry here, and its settings in the
 * configuration.
 */
import type { SmsCredentials } from '../settings.ts';
import { messagebird } from './messagebird.ts';
import type { SmsProvider } from './provider.ts';
import { textlocal } from './textlocal.ts';
import { twilio } from './twilio.ts';
import { twilioVerify } from './twilio-verify.ts';
import { vonage } from './vonage.ts';

/** Every provider, under its value of GOTRUE_SMS_PROVIDER. */
export const smsProviders: { [P in keyof SmsCredentials]: SmsProvider<SmsCredentials[P]> } = {
  twilio,
  twilio_verify: twilioVerify,
  vonage,
  messagebird,
  textlocal,
};
