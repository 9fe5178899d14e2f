/** How a code travels to a phone number. */

import { failure } from '../errors.ts';
import type { AuthConfig } from '../settings/settings.ts';

/** How a code travels to a phone number. */
export type PhoneChannel = 'sms' | 'whatsapp';

/** Throws `validation_failed`: WhatsApp needs a provider of messages that can do it. */
export function phoneChannelOf(
  channel: string,
  { smsProvider }: Pick<AuthConfig, 'smsProvider'>,
): PhoneChannel {
  if (channel === '' || channel === 'sms') return 'sms';
  if (channel === 'whatsapp' && smsProvider === 'twilio') return channel;
  throw failure('validation_failed', {
    message:
      "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  });
}
