/**
 * POST /magiclink, and /otp with an email address: mails a link and a code for a sign-in. Creates an account if there
 * is none; the same mail confirms it. The response does not reveal whether there was an account.
 */

import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { mailFlow } from '../flow-state/mail-flow.ts';
import { checkPkceParameters } from '../flow-state/pkce-parameters.ts';
import type { Challenge } from '../flow-state/statements.ts';
import { afterUserCreated } from '../hooks/after-user-created.ts';
import { beforeUserCreated } from '../hooks/before-user-created.ts';
import { isHookFailure } from '../hooks/hook-failure.ts';
import { perform, performSilently, type Step } from '../hooks/step.ts';
import { objectField, parseBody, textField } from '../http/request-body.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';
import { requireAuthorizedAddress } from '../mail/authorized.ts';
import { countMessage } from '../one-time/count-message.ts';
import { planMail } from '../one-time/mail.ts';
import { wasSentRecently } from '../one-time/message-spacing.ts';
import { respondUniformly } from '../one-time/minimum-duration.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { audienceOf } from '../user/audience.ts';
import { parseEmail } from '../user/email-address.ts';
import { findOwnerOfEmail, findUserById } from '../user/find.ts';
import { type Metadata, requireMetadataSize } from '../user/metadata.ts';
import type { UserRow } from '../user/user.ts';
import { newAccount } from './sign-up/new-account.ts';

/** The fields of the request body. */
export const magicLinkFields = z.object({
  email: textField,
  data: objectField,
  code_challenge: textField,
  code_challenge_method: textField,
});

/** A validated request. */
interface MagicLinkRequest {
  email: string;
  data: Metadata;
  challenge: Challenge;
}

/** Handles POST /magiclink. */
export async function magicLink(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  context.limits.check('magiclink', request, context.now());
  const linkRequest = parseMagicLink(parseBody(request.body, magicLinkFields), context.config);
  return mailMagicLink(context, request, linkRequest);
}

/** Validates the fields. Throws `email_provider_disabled`, `validation_failed` or `email_address_not_authorized`. */
export function parseMagicLink(
  { email, data, code_challenge, code_challenge_method }: z.output<typeof magicLinkFields>,
  config: AuthConfig,
): MagicLinkRequest {
  if (!config.external.email) {
    throw failure('email_provider_disabled', { status: 422, message: 'Email logins are disabled' });
  }
  if (!config.magicLinks) {
    throw failure('email_provider_disabled', { status: 422, message: 'Login with magic link is disabled' });
  }
  checkPkceParameters(code_challenge, code_challenge_method);
  requireMetadataSize(data ?? {});
  const address = parseEmail(email);
  requireAuthorizedAddress(address, config);
  return { email: address, data: data ?? {}, challenge: { code_challenge, code_challenge_method } };
}

/** Mails a link for a validated request. Also serves POST /otp. */
export async function mailMagicLink(
  context: AuthContext,
  request: AuthRequest,
  linkRequest: MagicLinkRequest,
): Promise<AuthResponse> {
  context.limits.requireSpacing('email', 'recovery', linkRequest.email, context.now());
  countMessage(context, request, { channel: 'email', recipient: linkRequest.email });
  return context.limits.guard(
    request,
    context.now(),
    () => respondUniformly(() => mail(context, request, linkRequest)),
    isHookFailure,
  );
}

async function mail(
  context: AuthContext,
  request: AuthRequest,
  linkRequest: MagicLinkRequest,
): Promise<void> {
  const owner = await findOwner(context, request, linkRequest);
  if (owner === undefined) return sendToNewAccount(context, request, linkRequest);
  const waitForHook = () => context.hooks.simulateLatency('sendEmail');
  if (owner.email !== linkRequest.email) return waitForHook();
  // A confirmation would keep the password of the sign-up, which another person may have chosen. A sign-in removes it.
  const hasPassword = Boolean(owner.encrypted_password);
  if (owner.confirmed_at === null && !context.config.autoconfirm.email && !hasPassword) {
    if (wasSentRecently(owner.confirmation_sent_at, 'email', context)) return waitForHook();
    return send(context, request, linkRequest, owner, 'signup');
  }
  if (wasSentRecently(owner.recovery_sent_at, 'email', context)) return waitForHook();
  return send(context, request, linkRequest, owner, 'magiclink');
}

async function findOwner(
  { config, database }: AuthContext,
  request: AuthRequest,
  { email }: MagicLinkRequest,
): Promise<UserRow | undefined> {
  const [owner] = await database.query<UserRow>(findOwnerOfEmail(email, audienceOf(request, config)));
  return owner;
}

/**
 * Creates an account and mails the link. If sign-ups are disabled, sends nothing, and the response does not reveal it.
 */
async function sendToNewAccount(
  context: AuthContext,
  request: AuthRequest,
  linkRequest: MagicLinkRequest,
): Promise<void> {
  const { config } = context;
  if (config.disableSignup) return context.hooks.simulateLatency('sendEmail');
  const { email: address, data, challenge } = linkRequest;
  const audience = audienceOf(request, config);
  const account = newAccount({ provider: 'email', address, data, audience, challenge }, null, context);
  const purpose = config.autoconfirm.email ? 'magiclink' : 'signup';
  await beforeUserCreated(context, request, account.user);
  try {
    await send(context, request, linkRequest, account.user, purpose, account.statements);
  } catch (error) {
    // A concurrent request created the account and has sent the mail.
    if (violatedUniqueConstraint(error) === 'users_email_partial_key') return;
    throw error;
  }
  if (!context.hooks.isSet('afterUserCreated')) return;
  const [user] = await context.database.query<UserRow>(findUserById(account.user.id));
  await afterUserCreated(context, request, user);
}

async function send(
  context: AuthContext,
  request: AuthRequest,
  { challenge }: MagicLinkRequest,
  user: Parameters<typeof planMail>[2]['user'] & Parameters<typeof auditEntry>[0],
  purpose: 'signup' | 'magiclink',
  before: readonly Step[] = [],
): Promise<void> {
  const isPkce = challenge.code_challenge !== '';
  const mail = await planMail(context, request, { user, purpose, isPkce });
  const action = purpose === 'signup' ? 'user_confirmation_requested' : 'user_recovery_requested';
  // If sign-ups are disabled, an address without an account gets no mail and no error. A failed mail to an account must
  // not cause an error either.
  const finish = context.config.disableSignup ? performSilently : perform;
  await finish(context, request, [
    ...before,
    ...mailFlow(purpose, user.id, challenge, context.now()),
    ...writeAudit(context, request, [auditEntry(user, action)]),
    ...mail.steps,
  ]);
}
