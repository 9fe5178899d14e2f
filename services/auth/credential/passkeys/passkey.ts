/** Passkeys as clients see them, and who may manage them. */

import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { type Caller, requireCaller, requireSecondFactor } from '../../session/caller.ts';
import type { PasskeyRow } from './statements.ts';

/** A passkey on the wire. */
interface Passkey {
  id: string;
  friendly_name: string | undefined;
  created_at: Date;
  last_used_at: Date | undefined;
}

/** A passkey as clients see it. */
export function toPasskey({ id, friendly_name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    friendly_name: friendly_name || undefined,
    created_at,
    last_used_at: last_used_at ?? undefined,
  };
}

/** Throws `passkey_disabled`. */
export function requirePasskeys({ config }: AuthContext): void {
  if (!config.passkeys.enabled) throw failure('passkey_disabled');
}

/**
 * Requires a caller who may add and remove passkeys: no anonymous user, nobody of single sign-on, and at aal2 where
 * they have a second factor. Throws what `requireCaller` does, `no_authorization`, `validation_failed` and
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

/** No such passkey of this user. */
export function noPasskey() {
  return failure('validation_failed', { status: 404, message: 'Passkey not found' });
}
