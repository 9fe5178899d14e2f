/** GET /passkeys, PATCH and DELETE /passkeys/:passkeyId: lists, renames and deletes the caller's passkeys. */
import { z } from 'zod';
import { auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import { uuidParam } from '../../http/uuid.ts';
import { requireCaller, requireCallerOrImpersonator } from '../../session/caller.ts';
import { passkeyNotFound, requireManager, requirePasskeys, toPasskey } from './passkey.ts';
import { deletePasskey, findPasskeys, type PasskeyRow, renamePasskey } from './statements.ts';

const MAX_NAME_LENGTH = 120;
const fields = z.object({ friendly_name: textField });

export async function listPasskeys(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requirePasskeys(context);
  const { user } = await requireCallerOrImpersonator(context, request);
  const passkeys = await context.database.query<PasskeyRow>(findPasskeys(user.id));
  return { status: 200, body: passkeys.map(toPasskey) };
}

/**
 * Renames a passkey of the caller. Throws `validation_failed` for an invalid name, with status 404 for an unknown id.
 */
export async function updatePasskey(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requirePasskeys(context);
  const { user } = await requireCaller(context, request);
  context.limits.check('user', request, context.now(), user.id);
  const id = uuidParam(request, 'passkeyId');
  const { friendly_name: name } = parseBody(request.body, fields);
  if (name === '') throw failure('validation_failed', { message: 'friendly_name is required' });
  if (name.length > MAX_NAME_LENGTH) {
    const message = `friendly_name must be ${MAX_NAME_LENGTH} characters or less`;
    throw failure('validation_failed', { message });
  }
  const [renamed] = await context.database.batch([
    renamePasskey(id, user.id, name, context.now()),
    ...writeAudit(context, request, [auditEntry(user, 'passkey_updated', { passkey_id: id })]),
  ]);
  const passkey = renamed?.[0] as PasskeyRow | undefined;
  if (passkey === undefined) throw passkeyNotFound();
  return { status: 200, body: toPasskey(passkey) };
}

/** Deletes a passkey of the caller. Throws `validation_failed` with status 404 for an unknown id. */
export async function removePasskey(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireManager(context, request);
  const id = uuidParam(request, 'passkeyId');
  const [deleted] = await context.database.batch([
    deletePasskey(id, user.id),
    ...writeAudit(context, request, [auditEntry(user, 'passkey_deleted', { passkey_id: id })]),
  ]);
  if (deleted?.length === 0) throw passkeyNotFound();
  return { status: 204 };
}
