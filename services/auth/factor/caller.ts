/** Requires a caller who may use second factors: a user with a session who is not anonymous. */

import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { uuidParam } from '../http/uuid.ts';
import { type Caller, requireCaller } from '../session/caller.ts';
import type { SessionRow } from '../session/session.ts';
import type { FactorRow } from '../user/factor.ts';

/** A caller with a session. */
export interface FactorCaller extends Caller {
  session: SessionRow;
}

/** Throws the errors of `requireCaller`, `no_authorization` for anonymous users, or `session_not_found`. */
export async function requireFactorCaller(context: AuthContext, request: AuthRequest): Promise<FactorCaller> {
  const caller = await requireCaller(context, request);
  if (caller.user.is_anonymous) {
    throw failure('no_authorization', { status: 403, message: 'Anonymous users cannot have second factors' });
  }
  if (caller.session === undefined) throw failure('session_not_found');
  return { ...caller, session: caller.session };
}

/**
 * Returns the caller's factor with the id in the path. Throws `validation_failed` or `mfa_factor_not_found`, both with
 * status 404.
 */
export function factorOfPath({ user }: FactorCaller, request: AuthRequest): FactorRow {
  const id = uuidParam(request, 'factorId');
  const factor = user.factors?.find((candidate) => candidate.id === id);
  if (factor !== undefined) return factor;
  throw failure('mfa_factor_not_found', { message: 'Factor not found' });
}
