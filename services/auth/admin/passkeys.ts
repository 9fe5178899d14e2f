/** Admin endpoints for a user's passkeys: list, delete. */

import { createAuditedChange } from '../audit/audited-change.ts';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { passkeyNotFound, requirePasskeys, toPasskey } from '../credential/passkeys/passkey.ts';
import { deletePasskey, findPasskeys, type PasskeyRow } from '../credential/passkeys/statements.ts';
import { uuidParam } from '../http/uuid.ts';
import { requireAdmin } from '../session/caller.ts';
import { adminActor, targetUser } from './target-user.ts';

export async function listPasskeysAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  requirePasskeys(context);
  const { id } = await targetUser(context, request);
  const passkeys = await context.database.query<PasskeyRow>(findPasskeys(id));
  return { status: 200, body: passkeys.map(toPasskey) };
}

export async function deletePasskeyAsAdmin(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  requirePasskeys(context);
  const user = await targetUser(context, request);
  const id = uuidParam(request, 'passkeyId');
  const traits = { user_id: user.id, passkey_id: id };
  await createAuditedChange(context.database, {
    change: deletePasskey(id, user.id),
    after: writeAudit(context, request, [auditEntry(adminActor(claims), 'passkey_deleted', traits)]),
    missing: passkeyNotFound,
  });
  return { status: 204 };
}
