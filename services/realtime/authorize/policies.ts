/**
 * Evaluates the policies on realtime.messages for a private channel with probe rows in a transaction that is rolled
 * back. For read permissions the owner of the table inserts rows and the role of the token selects them; for write
 * permissions that role inserts rows.
 */
import { randomUUID } from 'node:crypto';
import { type Database, runAndRollBack, type Statement, type Transaction } from '@greenroom/postgres';
import pg from 'pg';
import type { Session } from './token.ts';

/** The permissions of a channel per extension, the column by which policies distinguish kinds of messages. */
export interface Permissions {
  broadcast: boolean;
  presence: boolean;
}

/** The channel and caller that policies are evaluated for. */
export interface PolicyRequest {
  topic: string;
  session: Session;
  /** JSON of the handshake's headers, for `request.headers`. */
  headers: string;
  /** Whether policies for presence are evaluated, too. */
  checksPresence: boolean;
}

/** Called with the error of a policy. A policy that fails counts as a denial. */
type OnPolicyError = (error: Error) => void;

type Extension = keyof Permissions;

const NO_PERMISSIONS: Permissions = { broadcast: false, presence: false };
/** insufficient_privilege: the error of row-level security for a denied insert. */
const INSUFFICIENT_PRIVILEGE = '42501';
/** SQLSTATE classes of an unreachable or overloaded database: 08, 53, 57 and 58. */
const UNAVAILABLE = /^(08|53|57|58)/;
const QUERY_CANCELED = '57014';

/** Shorter than the timeout of a client's join, so that a slow policy leads to a reply in time. */
const LIMIT_TIME: Statement = { text: `select set_config('statement_timeout', '4s', true)` };

/** Loads the permissions to receive messages of a channel. Rejects if the database does not respond. */
export function readPermissions(
  database: Database,
  request: PolicyRequest,
  onPolicyError: OnPolicyError,
): Promise<Permissions> {
  const extensions = extensionsOf(request);
  return runAndRollBack(database, async (tx) => {
    try {
      const ids = extensions.map(() => randomUUID());
      const results = await tx.batch([
        LIMIT_TIME,
        {
          text: `insert into realtime.messages (topic, extension, id)
            select $1, extension, id from unnest($2::text[], $3::uuid[]) as probe (extension, id)`,
          values: [request.topic, extensions, ids],
        },
        assumeCaller(request),
        { text: 'select extension from realtime.messages where id = any ($1::uuid[])', values: [ids] },
      ]);
      const seen = new Set((results.at(-1) ?? []).map(({ extension }) => extension));
      return { broadcast: seen.has('broadcast'), presence: seen.has('presence') };
    } catch (error) {
      return deniedOrThrow(error, onPolicyError);
    }
  });
}

/** Loads the permissions to send messages to a channel. Rejects if the database does not respond. */
export function writePermissions(
  database: Database,
  request: PolicyRequest,
  onPolicyError: OnPolicyError,
): Promise<Permissions> {
  return runAndRollBack(database, async (tx) => {
    try {
      await tx.batch([LIMIT_TIME, assumeCaller(request), { text: 'savepoint probe' }]);
    } catch (error) {
      return deniedOrThrow(error, onPolicyError);
    }
    const permissions = { ...NO_PERMISSIONS };
    for (const extension of extensionsOf(request)) {
      permissions[extension] = await canWrite(tx, request.topic, extension, onPolicyError);
    }
    return permissions;
  });
}

async function canWrite(
  tx: Transaction,
  topic: string,
  extension: Extension,
  onPolicyError: OnPolicyError,
): Promise<boolean> {
  try {
    await tx.query({
      text: 'insert into realtime.messages (topic, extension) values ($1, $2)',
      values: [topic, extension],
    });
    return true;
  } catch (error) {
    deniedOrThrow(error, onPolicyError);
    await tx.query({ text: 'rollback to savepoint probe' });
    return false;
  }
}

function extensionsOf({ checksPresence }: PolicyRequest): Extension[] {
  return checksPresence ? ['broadcast', 'presence'] : ['broadcast'];
}

/** Assumes the role of the caller, and sets the claims, headers and topic that policies read. */
function assumeCaller({ topic, session, headers }: PolicyRequest): Statement {
  return {
    text: `select set_config('realtime.topic', $1, true), set_config('request.jwt.claims', $2, true),
      set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $4, true),
      set_config('request.headers', $5, true), set_config('role', $4, true)`,
    values: [topic, session.claims, session.subject, session.role, headers],
  };
}

/** Returns no permissions for an error of a policy. Throws any other error. */
function deniedOrThrow(error: unknown, onPolicyError: OnPolicyError): Permissions {
  if (!(error instanceof pg.DatabaseError) || isUnavailable(error.code ?? '')) throw error;
  if (error.code !== INSUFFICIENT_PRIVILEGE) onPolicyError(error);
  return NO_PERMISSIONS;
}

/** Whether the database is unavailable. A cancelled statement is not counted: its policy exceeded the timeout. */
function isUnavailable(code: string): boolean {
  return UNAVAILABLE.test(code) && code !== QUERY_CANCELED;
}
