/** POST /admin/generate_link: creates the link and code of a mail for an admin to deliver. Sends no mail. */
import type { Statement } from '@greenroom/postgres';
import { z } from 'zod';
import { type AuditAction, auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { requireStrongPassword } from '../credential/password/policy.ts';
import { failure } from '../errors.ts';
import { afterUserCreated } from '../hooks/after-user-created.ts';
import { objectField, parseBody, textField } from '../http/request-body.ts';
import { confirmationUrl, externalUrlOf } from '../mail/links.ts';
import { type PlannedCode, planCode } from '../one-time/mail.ts';
import { recordAdminLink } from '../one-time/proof/statements.ts';
import type { TokenKind } from '../one-time/token-kind.ts';
import { allowedRedirect } from '../redirect/allow-list.ts';
import { redirectTarget } from '../redirect/target.ts';
import { type Claims, requireAdmin } from '../session/caller.ts';
import { audienceOf } from '../user/audience.ts';
import { parseEmail } from '../user/email-address.ts';
import { findOwnerOfEmail, findUserByEmail, findUserById } from '../user/find.ts';
import { type Metadata, requireMetadataSize } from '../user/metadata.ts';
import { toSaveFailure } from '../user/save-error.ts';
import { requestEmailChange } from '../user/update.ts';
import { toUser, type UserRow } from '../user/user.ts';
import { planInvitedAccount, recordInvitation } from './invited-account.ts';
import { adminActor } from './target-user.ts';

const fields = z.object({
  type: textField,
  email: textField,
  new_email: textField,
  password: textField,
  data: objectField,
  redirect_to: textField,
});

const TYPES = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
] as const;
type LinkType = (typeof TYPES)[number];

/** The request after all checks that need no database. */
interface LinkRequest {
  type: LinkType;
  email: string;
  newEmail: string;
  password: string;
  data: Metadata;
  audience: string;
}

/** A planned link: the user it is for and the statements that create it. */
interface PlannedLink {
  userId: string;
  planned: PlannedCode;
  token: TokenKind;
  statements: Statement[];
  action: AuditAction | undefined;
  /** Whether the same batch creates the account. */
  isNew?: boolean;
}

export async function generateLink(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const body = parseBody(request.body, fields);
  const linkRequest = await resolveType(
    context,
    parseLinkRequest(body, audienceOf(request, context.config, claims)),
  );
  const link = await planLink(context, request, linkRequest);
  const results = await context.database
    .batch([
      ...link.statements,
      ...link.planned.statements,
      recordAdminLink(link.userId, link.token),
      ...audit(context, request, claims, link, linkRequest),
      findUserById(link.userId),
    ])
    .catch((error: unknown) => {
      throw toSaveFailure(error, 'updating');
    });
  const user = results.at(-1)?.[0] as UserRow | undefined;
  if (user === undefined) throw failure('user_not_found', { status: 404, message: 'User not found' });
  if (link.isNew) await afterUserCreated(context, request, user);
  const { code, token } = link.planned;
  const externalUrl = externalUrlOf(context.config, request);
  const redirectTo = allowedRedirect(body.redirect_to, context.config) ?? redirectTarget(context, request);
  const type = linkRequest.type.startsWith('email_change') ? 'email_change' : linkRequest.type;
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      ...toUser(user),
      action_link: confirmationUrl({ externalUrl, token, type, redirectTo }, context.config.mail),
      email_otp: code,
      hashed_token: token,
      verification_type: linkRequest.type,
      redirect_to: redirectTo,
    },
  };
}

function parseLinkRequest(body: z.output<typeof fields>, audience: string): LinkRequest {
  const email = parseEmail(body.email);
  const type = TYPES.find((known) => known === body.type);
  if (type === undefined) {
    const message = `Invalid email action link type requested: ${body.type}`;
    throw failure('validation_failed', { message });
  }
  requireMetadataSize(body.data ?? {});
  const newEmail = type.startsWith('email_change') ? parseEmail(body.new_email) : '';
  return { type, email, newEmail, password: body.password, data: body.data ?? {}, audience };
}

/** A magic link for an address without an account becomes a sign-up link. */
async function resolveType({ database }: AuthContext, linkRequest: LinkRequest): Promise<LinkRequest> {
  if (linkRequest.type !== 'magiclink') return linkRequest;
  const [owner] = await database.query(findOwnerOfEmail(linkRequest.email, linkRequest.audience));
  return owner === undefined ? { ...linkRequest, type: 'signup' } : linkRequest;
}

async function planLink(
  context: AuthContext,
  request: AuthRequest,
  linkRequest: LinkRequest,
): Promise<PlannedLink> {
  switch (linkRequest.type) {
    case 'signup':
    case 'invite':
      return planSignUp(context, request, linkRequest, linkRequest.type);
    case 'magiclink':
    case 'recovery': {
      const user = await requireUser(context, linkRequest);
      const planned = planCode(context, { user, purpose: linkRequest.type });
      return {
        userId: user.id,
        planned,
        token: 'recovery_token',
        statements: [],
        action: 'user_recovery_requested',
      };
    }
    default:
      return planEmailChange(context, linkRequest);
  }
}

async function planSignUp(
  context: AuthContext,
  request: AuthRequest,
  linkRequest: LinkRequest,
  type: 'signup' | 'invite',
): Promise<PlannedLink> {
  const { email, data, audience, password } = linkRequest;
  const hasPassword = type === 'signup' && password !== '';
  if (hasPassword) await requireStrongPassword(password, context);
  const passwordHash = hasPassword ? { passwordHash: await context.passwords.hash(password, request) } : {};
  const account = { email, data, audience, ...passwordHash };
  const { user, statements, isNew } = await planInvitedAccount(context, request, account);
  const planned = planCode(context, { user, purpose: type });
  const isInvitation = type === 'invite';
  return {
    userId: user.id,
    planned,
    token: 'confirmation_token',
    statements: [...statements, ...(isInvitation ? [recordInvitation(user.id, context.now())] : [])],
    action: isInvitation ? 'user_invited' : undefined,
    isNew,
  };
}

async function planEmailChange(context: AuthContext, linkRequest: LinkRequest): Promise<PlannedLink> {
  const isCurrent = linkRequest.type === 'email_change_current';
  if (isCurrent && !context.config.secureEmailChange) {
    const message = 'Enable secure email change to generate link for current email';
    throw failure('validation_failed', { message });
  }
  const user = await requireUser(context, linkRequest);
  const { newEmail, audience } = linkRequest;
  const [other] = await context.database.query(findOwnerOfEmail(newEmail, audience, user.id));
  if (other !== undefined) throw failure('email_exists');
  const planned = planCode(context, {
    user,
    purpose: 'email_change',
    ...(isCurrent ? { token: 'email_change_token_current' } : { to: newEmail }),
  });
  const isNewChange = user.email_change !== newEmail;
  const statements = isNewChange ? [requestEmailChange(user.id, newEmail, context.now())] : [];
  const token = isCurrent ? 'email_change_token_current' : 'email_change_token_new';
  return { userId: user.id, planned, token, statements, action: undefined };
}

async function requireUser({ database }: AuthContext, { email, audience }: LinkRequest): Promise<UserRow> {
  const [user] = await database.query<UserRow>(findUserByEmail(email, audience));
  if (user !== undefined) return user;
  throw failure('user_not_found', { status: 404, message: 'User with this email not found' });
}

function audit(
  context: AuthContext,
  request: AuthRequest,
  claims: Claims,
  { userId, action }: PlannedLink,
  { email }: LinkRequest,
): Statement[] {
  if (action === undefined) return [];
  const traits = { user_id: userId, user_email: email };
  return writeAudit(context, request, [auditEntry(adminActor(claims), action, traits)]);
}
