/** POST /invite: creates an account and mails its link to the invited person. */
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { afterUserCreated } from '../hooks/after-user-created.ts';
import { perform } from '../hooks/step.ts';
import { objectField, parseBody, textField } from '../http/request-body.ts';
import { planMail } from '../one-time/mail.ts';
import { requireAdmin } from '../session/caller.ts';
import { audienceOf } from '../user/audience.ts';
import { parseEmail } from '../user/email-address.ts';
import { findUserById } from '../user/find.ts';
import { requireMetadataSize } from '../user/metadata.ts';
import { toSaveFailure } from '../user/save-error.ts';
import { toUser, type UserRow } from '../user/user.ts';
import { planInvitedAccount, recordInvitation } from './invited-account.ts';
import { adminActor } from './target-user.ts';

const fields = z.object({ email: textField, data: objectField });

/** Invites a person. An account that was invited and has not been confirmed is invited again. */
export async function invite(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { email, data = {} } = parseBody(request.body, fields);
  const address = parseEmail(email);
  requireMetadataSize(data);
  const audience = audienceOf(request, context.config, claims);
  const { user, statements, isNew } = await planInvitedAccount(context, request, {
    email: address,
    data,
    audience,
  });
  context.limits.messages.countTotal('email', context.now());
  const mail = await planMail(context, request, { user, purpose: 'invite' });
  const traits = { user_id: user.id, user_email: address };
  const results = await perform(context, request, [
    ...statements,
    ...mail.steps,
    recordInvitation(user.id, context.now()),
    ...writeAudit(context, request, [auditEntry(adminActor(claims), 'user_invited', traits)]),
    findUserById(user.id),
  ]).catch((error: unknown) => {
    throw toSaveFailure(error, 'inviting');
  });
  const invited = results.at(-1)?.[0] as UserRow | undefined;
  if (invited === undefined) throw failure('unexpected_failure', { message: 'Error inviting user' });
  if (isNew) await afterUserCreated(context, request, invited);
  return { status: 200, body: toUser(invited) };
}
