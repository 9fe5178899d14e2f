/**
 * The database statements of frequent requests, without the rest of the service: a reference for the
 * benchmarks. The service does not use this module.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '@greenroom/postgres';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import { findCaller } from './caller.ts';
import {
  insertToken,
  type LockedRefreshToken,
  lockRefreshToken,
  recordRefresh,
  revokeToken,
} from './refresh-statements.ts';
import { hashRefreshToken } from './refresh-token.ts';

const ADDRESS = '127.0.0.1';

/**
 * Runs the statements of a token refresh, flush by flush. Returns the hash of the new token; the token itself
 * is discarded.
 * @param hash of the token to refresh
 */
export async function refreshDatabaseOnly(database: Database, hash: string): Promise<string> {
  const next = hashRefreshToken(randomUUID());
  const now = new Date();
  await database.transaction(async (tx) => {
    const [locked] = await tx.query<LockedRefreshToken>(lockRefreshToken(hash));
    if (locked === undefined)
      throw new Error('the token does not exist, or another transaction has locked it');
    const { id: userId, session } = locked;
    const child = { id: locked.next_id, hash: next, parentHash: hash, sessionId: session.id, userId };
    const entries = (['token_refreshed', 'token_revoked'] as const).map((action) =>
      auditEntry(locked, action),
    );
    const logging = { config: { auditLog: true }, now: () => now };
    await tx.commit([
      revokeToken(locked.token_id, now),
      insertToken(child, now),
      recordRefresh(session.id, userId, { userAgent: 'bench', ip: ADDRESS, isRepeat: false }, now),
      ...writeAudit(logging, { address: ADDRESS }, entries),
    ]);
  });
  return next;
}

/** Runs the statement of GET /user. */
export async function findCallerDatabaseOnly(
  database: Database,
  userId: string,
  sessionId: string,
): Promise<void> {
  const rows = await database.query(findCaller(userId, sessionId));
  if (rows.length !== 1) throw new Error('the user does not exist');
}
