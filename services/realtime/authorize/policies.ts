/**
 * What policies on realtime.messages say about a private channel. They are asked by rows that never stay: written by the
 * table's owner and read as the role of the token, or written as that role, in a transaction that is rolled back.
 */
import { randomUUID } from 'node:crypto';
import { type Database, rolledBack, type Statement, type Transaction } from '@greenroom/postgres';
import pg from 'pg';
import type { Session } from './token.ts';

/** What a channel can do: the extensions that policies tell apart. */
export interface Permissions {
  broadcast: boolean;
  presence: boolean;
}

/** Whom policies are asked about. */
export interface Question {
  topic: string;
  session: Session;
  /** JSON of headers of the handshake, for `request.headers`. */
  headers: string;
  /** Presence is asked about only where it is on. */
  asksPresence: boolean;
}

/** Told about a policy that ended in an error, which counts as a no. */
type OnPolicyError = (error: Error) => void;

type Extension = keyof Permissions;

const NOBODY: Permissions = { broadcast: false, presence: false };
/** insufficient_privilege: how row-level security says no. */
const DENIED = '42501';
/** SQLSTATE classes of a database that is not there, or has no room: 08, 53, 57 and 58. */
const OUT_OF_ORDER = /^(08|53|57|58)/;
const QUERY_CANCELED = '57014';

/** A policy must not keep a join from being answered while its sender still waits. */
const LIMIT_TIME: Statement = { text: `select set_config('statement_timeout', '4s', true)` };

/** What somebody may hear in a channel. Rejects where the database cannot be asked. */
export function readPermissions(
  database: Database,
  question: Question,
  onPolicyError: OnPolicyError,
): Promise<Permissions> {
  const asked = extensionsOf(question);
  return rolledBack(database, async (tx) => {
    try {
      const ids = asked.map(() => randomUUID());
      const results = await tx.batch([
        LIMIT_TIME,
        {
          text: `insert into realtime.messages (topic, extension, id)
            select $1, extension, id from unnest($2::text[], $3::uuid[]) as probe (extension, id)`,
          values: [question.topic, asked, ids],
        },
        beCaller(question),
        { text: 'select extension from realtime.messages where id = any ($1::uuid[])', values: [ids] },
      ]);
      const seen = new Set((results.at(-1) ?? []).map(({ extension }) => extension));
      return { broadcast: seen.has('broadcast'), presence: seen.has('presence') };
    } catch (error) {
      return answerOf(error, onPolicyError);
    }
  });
}

/** What somebody may say in a channel. Rejects where the database cannot be asked. */
export function writePermissions(
  database: Database,
  question: Question,
  onPolicyError: OnPolicyError,
): Promise<Permissions> {
  return rolledBack(database, async (tx) => {
    try {
      await tx.batch([LIMIT_TIME, beCaller(question), { text: 'savepoint probe' }]);
    } catch (error) {
      return answerOf(error, onPolicyError);
    }
    const permissions = { ...NOBODY };
    for (const extension of extensionsOf(question)) {
      permissions[extension] = await canWrite(tx, question.topic, extension, onPolicyError);
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
    answerOf(error, onPolicyError);
    await tx.query({ text: 'rollback to savepoint probe' });
    return false;
  }
}

function extensionsOf({ asksPresence }: Question): Extension[] {
  return asksPresence ? ['broadcast', 'presence'] : ['broadcast'];
}

/** Settings of the transaction that tell policies who is asking, and for what. */
function beCaller({ topic, session, headers }: Question): Statement {
  return {
    text: `select set_config('realtime.topic', $1, true), set_config('request.jwt.claims', $2, true),
      set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $4, true),
      set_config('request.headers', $5, true), set_config('role', $4, true)`,
    values: [topic, session.claims, session.subject, session.role, headers],
  };
}

/** A no, unless it was not the policies that said so. */
function answerOf(error: unknown, onPolicyError: OnPolicyError): Permissions {
  if (!(error instanceof pg.DatabaseError) || isOutOfOrder(error.code ?? '')) throw error;
  if (error.code !== DENIED) onPolicyError(error);
  return NOBODY;
}

/** A statement that took too long is cancelled: its policy is to blame. */
function isOutOfOrder(code: string): boolean {
  return OUT_OF_ORDER.test(code) && code !== QUERY_CANCELED;
}
