import { failure } from '../errors.ts';
import type { AuthConfig } from '../settings/settings.ts';

/** How a code is sent to a phone number. */
export type PhoneChannel = 'sms' | 'whatsapp';

const SENDS_WHATSAPP: ReadonlySet<AuthConfig['smsProvider']> = new Set(['twilio', 'twilio_verify']);

/**
 * Validates a channel; empty means SMS. Throws `validation_failed` for WhatsApp if the provider does not support it.
 */
export function phoneChannelOf(
  channel: string,
  { smsProvider }: Pick<AuthConfig, 'smsProvider'>,
): PhoneChannel {
  if (channel === '' || channel === 'sms') return 'sms';
  if (channel === 'whatsapp' && SENDS_WHATSAPP.has(smsProvider)) return channel;
  throw failure('validation_failed', {
    message:
      "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  });
}
