/** Parses the changes that a caller requests, and compares them with the stored user. */
import { z } from 'zod';
import type { AuthContext } from '../../context.ts';
import { requireStrongPassword } from '../../credential/password/policy.ts';
import { checkPkceParameters } from '../../flow-state/pkce-parameters.ts';
import type { Challenge } from '../../flow-state/statements.ts';
import { objectField, optionalTextField, parseBody, textField } from '../../http/request-body.ts';
import { type PhoneChannel, phoneChannelOf } from '../../one-time/phone-channel.ts';
import { parseEmail } from '../../user/email-address.ts';
import { type Metadata, requireMetadataSize } from '../../user/metadata.ts';
import { parsePhone } from '../../user/phone-number.ts';
import type { UserRow } from '../../user/user.ts';

const fields = z.object({
  email: textField,
  phone: textField,
  password: optionalTextField,
  current_password: textField,
  data: objectField,
  app_metadata: objectField,
  channel: textField,
  nonce: textField,
  code_challenge: textField,
  code_challenge_method: textField,
});

/**
 * The requested changes; undefined means no change. `email` and `phone` are set only if they differ from the current
 * ones.
 */
export interface Changes {
  email: string | undefined;
  phone: string | undefined;
  /** Channel of the code that confirms a new phone number. */
  channel: PhoneChannel;
  password: string | undefined;
  currentPassword: string;
  /** Code that GET /reauthenticate has sent. */
  nonce: string;
  challenge: Challenge;
  data: Metadata | undefined;
  appMetadata: Metadata | undefined;
}

/** Parses the body. Throws `bad_json`, `validation_failed` or `weak_password`. */
export async function parseChanges(
  body: Uint8Array | undefined,
  user: UserRow,
  context: AuthContext,
): Promise<Changes> {
  const read = parseBody(body, fields);
  const email = read.email === '' ? undefined : parseEmail(read.email);
  const phone = read.phone === '' ? undefined : parsePhone(read.phone);
  const channel = phone === undefined ? 'sms' : phoneChannelOf(read.channel, context.config);
  checkPkceParameters(read.code_challenge, read.code_challenge_method);
  if (read.password !== undefined) await requireStrongPassword(read.password, context);
  if (read.data !== undefined) requireMetadataSize({ ...user.raw_user_meta_data, ...read.data });
  return {
    email: email === user.email ? undefined : email,
    phone: phone === user.phone ? undefined : phone,
    channel,
    password: read.password,
    currentPassword: read.current_password,
    nonce: read.nonce,
    challenge: { code_challenge: read.code_challenge, code_challenge_method: read.code_challenge_method },
    data: read.data,
    appMetadata: read.app_metadata,
  };
}
