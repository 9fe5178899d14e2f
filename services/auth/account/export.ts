/**
 * GET /user/export: exports all data that this service stores about the caller as a file. The file has no secrets
 * (hashes, keys, tokens), because only an attacker could use them. GoTrue has no such endpoint.
 */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { toPasskey } from '../credential/passkeys/passkey.ts';
import { findPasskeys, type PasskeyRow } from '../credential/passkeys/statements.ts';
import { requireCaller, requireSecondFactor } from '../session/caller.ts';
import { findSessions } from '../session/list.ts';
import { toUser } from '../user/user.ts';

/** The export has only the newest entries, because it is built in memory. */
const MAX_AUDIT_ENTRIES = 10_000;

/** Responds with a file. `audit_log_complete` is false if there are more audit entries than the file holds. */
export async function exportAccount(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  const { user: row } = caller;
  requireSecondFactor(caller, 403, 'AAL2 required to export an account');
  context.limits.check('user', request, context.now(), row.id);
  const [sessions = [], passkeys = [], entries = []] = await context.database.batch([
    findSessions(row.id),
    findPasskeys(row.id),
    findOwnEntries(row.id),
  ]);
  const { identities, factors = [], ...user } = toUser(row);
  return {
    status: 200,
    headers: { 'content-disposition': 'attachment; filename="account.json"', 'cache-control': 'no-store' },
    body: {
      exported_at: context.now(),
      user,
      identities,
      factors: factors.map(({ last_webauthn_challenge_data: _, ...factor }) => factor),
      sessions,
      passkeys: (passkeys as unknown as PasskeyRow[]).map(toPasskey),
      audit_log: entries.slice(0, MAX_AUDIT_ENTRIES),
      audit_log_complete: entries.length <= MAX_AUDIT_ENTRIES,
    },
  };
}

/**
 * Selects the entries whose actor is the user. Entries of admins are left out, because they contain the admins' names
 * and addresses.
 */
function findOwnEntries(userId: string): Statement {
  return {
    name: 'auth_find_own_audit',
    text: `select e.id, e.payload, e.created_at, e.ip_address from auth.audit_log_entries e
      where e.payload ->> 'actor_id' = $1 order by e.created_at desc, e.id limit $2`,
    values: [userId, MAX_AUDIT_ENTRIES + 1],
  };
}
