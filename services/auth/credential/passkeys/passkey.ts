/** The JSON form of passkeys, and the permission to manage them. */

import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { type Caller, requireCaller, requireSecondFactor } from '../../session/caller.ts';
import type { PasskeyRow } from './statements.ts';

/** A passkey in responses. */
interface Passkey {
  id: string;
  friendly_name: string | undefined;
  created_at: Date;
  last_used_at: Date | undefined;
}

export function toPasskey({ id, friendly_name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    friendly_name: friendly_name || undefined,
    created_at,
    last_used_at: last_used_at ?? undefined,
  };
}

/** Throws `passkey_disabled` if passkeys are disabled. */
export function requirePasskeys({ config }: AuthContext): void {
  if (!config.passkeys.enabled) throw failure('passkey_disabled');
}

/**
 * Requires a caller who may add and delete passkeys. Rejects anonymous users, SSO users, and sessions below aal2 of
 * users with a second factor. Throws the errors of `requireCaller`, `no_authorization`, `validation_failed` or
 * `insufficient_aal`.
 */
export async function requireManager(context: AuthContext, request: AuthRequest): Promise<Caller> {
  requirePasskeys(context);
  const caller = await requireCaller(context, request);
  const { user } = caller;
  if (user.is_anonymous) {
    throw failure('no_authorization', { status: 403, message: 'Anonymous users cannot have passkeys' });
  }
  if (user.is_sso_user) {
    throw failure('validation_failed', { status: 422, message: 'SSO users cannot register passkeys' });
  }
  requireSecondFactor(caller, 403, 'AAL2 required to manage passkeys');
  return caller;
}

/** Creates the error for an id that is not a passkey of the user. */
export function passkeyNotFound() {
  return failure('validation_failed', { status: 404, message: 'Passkey not found' });
}
