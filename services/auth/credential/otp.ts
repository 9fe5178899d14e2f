/** POST /otp: sends a one-time code by mail (which also has a link) or by SMS. */
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { phoneChannelOf } from '../one-time/phone-channel.ts';
import { audienceOf } from '../user/audience.ts';
import { parseEmail } from '../user/email-address.ts';
import { findUserByEmail, findUserByPhone } from '../user/find.ts';
import { parsePhone } from '../user/phone-number.ts';
import type { UserRow } from '../user/user.ts';
import { magicLinkFields, mailMagicLink, parseMagicLink } from './magic-link.ts';
import { sendPhoneCode } from './sign-up/phone-code.ts';

const fields = magicLinkFields.extend({
  phone: textField,
  channel: textField,
  create_user: z.boolean().nullish(),
});

type Fields = z.output<typeof fields>;

/** Handles POST /otp. */
export async function otp(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const now = context.now();
  context.limits.check('otp', request, now);
  const body = parseBody(request.body, fields);
  checkFields(body);
  if (body.create_user === false) {
    await context.limits.guard(request, now, () => requireAccount(context, request, body), isAnyError);
  }
  if (body.email !== '') return mailMagicLink(context, request, parseMagicLink(body, context.config));
  return smsCode(context, request, body);
}

function checkFields({ email, phone, channel }: Fields): void {
  if (email !== '' && phone !== '') {
    throw refused('Only an email address or phone number should be provided');
  }
  if (email !== '' && channel !== '') {
    throw refused('Channel should only be specified with Phone OTP');
  }
  if (email === '' && phone === '') throw refused('One of email or phone must be set');
}

/**
 * Rejects the request if there is no account, because the client set `create_user` to false. As in GoTrue, the error
 * reveals that; therefore such requests are limited like guesses of passwords.
 */
async function requireAccount(
  { config, database }: AuthContext,
  request: AuthRequest,
  { email, phone }: Fields,
): Promise<void> {
  const audience = audienceOf(request, config);
  const find =
    email === ''
      ? findUserByPhone(parsePhone(phone), audience)
      : findUserByEmail(parseEmail(email), audience);
  const [user] = await database.query<UserRow>(find);
  if (user === undefined) throw failure('otp_disabled');
}

function isAnyError(): boolean {
  return true;
}

async function smsCode(
  context: AuthContext,
  request: AuthRequest,
  { phone, channel, data }: Fields,
): Promise<AuthResponse> {
  if (!context.config.external.phone) {
    throw failure('phone_provider_disabled', { message: 'Unsupported phone provider' });
  }
  const codeRequest = {
    channel: phoneChannelOf(channel, context.config),
    phone: parsePhone(phone),
    data: data ?? {},
  };
  return sendPhoneCode(context, request, codeRequest);
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
