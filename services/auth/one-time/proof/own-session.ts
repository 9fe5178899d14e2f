import { JwtError } from '@greenroom/keys';
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { isUuid } from '../../http/uuid.ts';
import { isApplication } from '../../session/caller.ts';

/** Whether the request's bearer token belongs to an active session of the user, and not to an OAuth application. */
export async function isOwnSession(
  tx: Transaction,
  { keys }: AuthContext,
  { bearer }: AuthRequest,
  userId: string,
): Promise<boolean> {
  if (bearer === undefined) return false;
  const claims = await keys.verify(bearer).catch((error: unknown) => {
    if (error instanceof JwtError) return undefined;
    throw error;
  });
  if (claims === undefined || claims.sub !== userId || isApplication({ claims, session: undefined }))
    return false;
  const { session_id: id } = claims;
  if (typeof id !== 'string' || !isUuid(id)) return false;
  const rows = await tx.query({
    name: 'auth_holds_session',
    text: 'select 1 from auth.sessions where id = $1 and user_id = $2 and oauth_client_id is null',
    values: [id, userId],
  });
  return rows.length > 0;
}
