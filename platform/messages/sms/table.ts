/** The table of SMS providers. A new one is a file beside this one, a line here, and its settings in the configuration. */
import type { SmsCredentials } from '../settings.ts';
import { messagebird } from './messagebird.ts';
import type { SmsProvider } from './provider.ts';
import { textlocal } from './textlocal.ts';
import { twilio } from './twilio.ts';
import { vonage } from './vonage.ts';

/** Every provider, under the name that GOTRUE_SMS_PROVIDER gives it. */
export const smsProviders: { [P in keyof SmsCredentials]: SmsProvider<SmsCredentials[P]> } = {
  twilio,
  vonage,
  messagebird,
  textlocal,
};
