/**
 * What frequent requests ask of the database, and nothing besides: the reference that the bench puts next to them. Not
 * part of the service.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '@greenroom/postgres';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import { findCaller } from './caller.ts';
import {
  type HeldToken,
  insertToken,
  lockRefreshToken,
  noteRefresh,
  spendToken,
} from './refresh-statements.ts';
import { hashRefreshToken } from './refresh-token.ts';

const ADDRESS = '127.0.0.1';

/**
 * The statements of a refresh, flush by flush. Gives the hash of the successor, of whose token nobody knows.
 * @param hash of the token that is refreshed
 */
export async function refreshAlone(database: Database, hash: string): Promise<string> {
  const next = hashRefreshToken(randomUUID());
  const now = new Date();
  await database.transaction(async (tx) => {
    const [held] = await tx.query<HeldToken>(lockRefreshToken(hash));
    if (held === undefined) throw new Error('there is no such token, or somebody holds it');
    const { id: userId, session } = held;
    const child = { id: held.next_id, hash: next, parentHash: hash, sessionId: session.id, userId };
    const entries = (['token_refreshed', 'token_revoked'] as const).map((action) => auditEntry(held, action));
    const logging = { config: { auditLog: true }, now: () => now };
    await tx.commit([
      spendToken(held.token_id, now),
      insertToken(child, now),
      noteRefresh(session.id, userId, { userAgent: 'bench', ip: ADDRESS, isRepeat: false }, now),
      ...writeAudit(logging, { address: ADDRESS }, entries),
    ]);
  });
  return next;
}

/** The statement of GET /user. */
export async function findCallerAlone(database: Database, userId: string, sessionId: string): Promise<void> {
  const rows = await database.query(findCaller(userId, sessionId));
  if (rows.length !== 1) throw new Error('there is no such user');
}
