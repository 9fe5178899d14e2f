/**
 * POST /resend: resends the message of a sign-up or of a change of address. The response does not reveal whether a
 * message was sent. Within the minimum time after the last message, none is sent.
 */
import { CatalogueError } from '@greenroom/errors';
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { checkPkceParameters } from '../flow-state/pkce-parameters.ts';
import type { Challenge } from '../flow-state/statements.ts';
import { performSilently, type Step } from '../hooks/step.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { isAuthorizedAddress, requireAuthorizedAddress } from '../mail/authorized.ts';
import { countMessage } from '../one-time/count-message.ts';
import { planEmailChange } from '../one-time/email-change.ts';
import { wasSentRecently } from '../one-time/message-spacing.ts';
import { respondUniformly } from '../one-time/minimum-duration.ts';
import { isAllowedNumber, planSms, requireSmsSender } from '../one-time/sms.ts';
import { audienceOf } from '../user/audience.ts';
import { parseEmail } from '../user/email-address.ts';
import { findUserByEmail, findUserByPhone } from '../user/find.ts';
import { parsePhone } from '../user/phone-number.ts';
import type { UserRow } from '../user/user.ts';
import { planConfirmation } from './sign-up/confirmation.ts';

const fields = z.object({
  type: textField,
  email: textField,
  phone: textField,
  code_challenge: textField,
  code_challenge_method: textField,
});

type ResendType = 'signup' | 'email_change' | 'sms' | 'phone_change';

/** The kind of messages with which each type shares its minimum time; see `requireSpacing` in contracts/rate-limits.ts. */
const SPACED_WITH: Record<ResendType, string> = {
  signup: 'confirmation',
  sms: 'confirmation',
  email_change: 'email_change',
  phone_change: 'phone_change',
};

/** A validated request. */
interface ResendRequest {
  type: ResendType;
  channel: 'email' | 'phone';
  /** The current address of the account. */
  address: string;
  challenge: Challenge;
}

/** Handles POST /resend. */
export async function resend(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const now = context.now();
  context.limits.check('resend', request, now);
  const resendRequest = parseResendRequest(request, context);
  const { type, channel, address: recipient } = resendRequest;
  if (type === 'sms') requireSmsSender(context, recipient);
  const hasSpacing = context.limits.hasSpacing(channel, SPACED_WITH[type], recipient, now);
  if (hasSpacing) countMessage(context, request, { channel, recipient });
  return respondUniformly(async () => {
    if (!hasSpacing) return context.hooks.simulateLatency(channel === 'email' ? 'sendEmail' : 'sendSms');
    const audience = audienceOf(request, context.config);
    const find = channel === 'email' ? findUserByEmail : findUserByPhone;
    const [user] = await context.database.query<UserRow>(find(recipient, audience));
    const steps = user === undefined ? [] : await planResend(context, request, resendRequest, user);
    if (steps.length > 0) return performSilently(context, request, steps);
    await context.hooks.simulateLatency(channel === 'email' ? 'sendEmail' : 'sendSms');
  });
}

function parseResendRequest(request: AuthRequest, { config }: AuthContext): ResendRequest {
  const { type, email, phone, ...challenge } = parseBody(request.body, fields);
  if (!isResendType(type))
    throw refused('Missing one of these types: signup, email_change, sms, phone_change');
  if (type === 'signup' || type === 'email_change') {
    checkPkceParameters(challenge.code_challenge, challenge.code_challenge_method);
  }
  if (type === 'signup' && email === '') throw refused('Type provided requires an email address');
  if (type === 'sms' && phone === '') throw refused('Type provided requires a phone number');
  if (email !== '' && phone !== '')
    throw refused('Only an email address or phone number should be provided.');
  if (email !== '') {
    if (!config.external.email) {
      throw failure('email_provider_disabled', { message: 'Email logins are disabled' });
    }
    const address = parseEmail(email);
    requireAuthorizedAddress(address, config);
    return { type, channel: 'email', address, challenge };
  }
  if (phone === '') throw refused('Missing email address or phone number');
  if (config.external.phone) return { type, channel: 'phone', address: parsePhone(phone), challenge };
  throw failure('phone_provider_disabled', { message: 'Phone logins are disabled' });
}

function isResendType(type: string): type is ResendType {
  return ['signup', 'email_change', 'sms', 'phone_change'].includes(type);
}

async function planResend(
  context: AuthContext,
  request: AuthRequest,
  { type, address, challenge }: ResendRequest,
  user: UserRow,
): Promise<Step[]> {
  switch (type) {
    case 'signup': {
      const isDone =
        user.confirmed_at !== null || wasSentRecently(user.confirmation_sent_at, 'email', context);
      return isDone
        ? []
        : planConfirmation(context, request, user, { provider: 'email', address, challenge });
    }
    case 'sms': {
      const isDone =
        user.phone_confirmed_at !== null || wasSentRecently(user.confirmation_sent_at, 'phone', context);
      return isDone
        ? []
        : planConfirmation(context, request, user, { provider: 'phone', address, challenge });
    }
    case 'email_change': {
      const isDone =
        !user.email_change ||
        !isAuthorizedAddress(user.email_change, context.config.mail) ||
        wasSentRecently(user.email_change_sent_at, 'email', context) ||
        !tryCount(context, 'email', user.email_change);
      return isDone ? [] : planEmailChange(context, request, user, user.email_change ?? '', challenge);
    }
    case 'phone_change': {
      const isDone =
        !user.phone_change ||
        !isAllowedNumber(user.phone_change, context.config.smsPrefixes) ||
        wasSentRecently(user.phone_change_sent_at, 'phone', context) ||
        !tryCount(context, 'phone', user.phone_change);
      if (isDone) return [];
      return planSms(context, { user, to: user.phone_change ?? '', kind: 'phone_change_token' }).steps;
    }
  }
}

/**
 * Counts the message to a new address. Returns false at the limit instead of throwing, because an error would reveal
 * that an account has requested the change.
 */
function tryCount(
  { limits, now }: AuthContext,
  channel: ResendRequest['channel'],
  recipient: string,
): boolean {
  try {
    limits.messages.count({ channel, recipient, client: [] }, now());
    return true;
  } catch (error) {
    if (error instanceof CatalogueError) return false;
    throw error;
  }
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
