/** Validates a sign-up: all checks that need no database. */

import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { checkPkceParameters } from '../../flow-state/pkce-parameters.ts';
import type { Challenge } from '../../flow-state/statements.ts';
import { requireAuthorizedAddress } from '../../mail/authorized.ts';
import type { PhoneChannel } from '../../one-time/phone-channel.ts';
import { phoneChannelOf } from '../../one-time/phone-channel.ts';
import { parseEmail } from '../../user/email-address.ts';
import { type Metadata, requireMetadataSize } from '../../user/metadata.ts';
import { parsePhone } from '../../user/phone-number.ts';
import { requireStrongPassword } from '../password/policy.ts';

/** The fields of the request body. */
interface SignUpFields {
  email: string;
  phone: string;
  password: string;
  data: Metadata | undefined;
  channel: string;
  code_challenge: string;
  code_challenge_method: string;
}

/** A validated sign-up. `address` is in its stored form. */
export interface Registration {
  provider: 'email' | 'phone';
  address: string;
  /** Channel of the code to a phone number. */
  channel?: PhoneChannel;
  password: string;
  data: Metadata;
  audience: string;
  /** Empty for the implicit flow. */
  challenge: Challenge;
}

/**
 * Checks in GoTrue's order, so that a request with several errors reports the same one. The caller ensures that at
 * least one address is present.
 */
export async function parseRegistration(
  fields: SignUpFields,
  context: AuthContext,
  audience: string,
): Promise<Registration> {
  const { config } = context;
  if (config.disableSignup) throw failure('signup_disabled');
  if (fields.password === '') throw refused('Signup requires a valid password');
  await requireStrongPassword(fields.password, context);
  requireOneAddress(fields);
  const channel = fields.phone === '' ? 'sms' : phoneChannelOf(fields.channel, config);
  checkPkce(fields);
  requireMetadataSize(fields.data ?? {});
  const provider = fields.email === '' ? 'phone' : 'email';
  if (!config.external[provider]) throw failure(`${provider}_provider_disabled`);
  const address = provider === 'email' ? parseEmail(fields.email) : parsePhone(fields.phone);
  if (provider === 'email' && !config.autoconfirm.email) requireAuthorizedAddress(address, config);
  const { code_challenge, code_challenge_method } = fields;
  const challenge = { code_challenge, code_challenge_method };
  const { password, data = {} } = fields;
  return { provider, address, channel, password, data, audience, challenge };
}

function requireOneAddress({ email, phone }: SignUpFields): void {
  if (email !== '' && phone !== '') {
    throw refused('Only an email address or phone number should be provided on signup.');
  }
}

function checkPkce({ phone, code_challenge, code_challenge_method }: SignUpFields): void {
  if (phone !== '' && code_challenge !== '') throw refused('PKCE not supported for phone signups');
  checkPkceParameters(code_challenge, code_challenge_method);
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
