/**
 * Calls hooks that are functions of the project's database. They run as the service's role supabase_auth_admin, which
 * by convention has the privilege to execute them.
 */

import { type Database, quoteIdentifier, type Statement } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import { isDatabaseError, statusOfSqlState } from '../lib/database-error.ts';
import type { FunctionTarget } from '../settings/hooks.ts';
import { rejectedByHook, tooLarge, tooSlow } from './hook-failure.ts';
import { type HookTransport, SIZE_LIMIT } from './transport.ts';

const TIMEOUT_SECONDS = 2;
/** query_canceled, raised by a statement timeout. */
const CANCELED = '57014';
/** raise_exception. */
const RAISED = 'P0001';

const LIMIT_TIME: Statement = {
  name: 'auth_hook_limit_time',
  text: `select set_config('statement_timeout', '${TIMEOUT_SECONDS * 1000}', true)`,
};
const RESTORE_TIME: Statement = { text: 'set local statement_timeout to default' };

/**
 * Creates the transport of a function. Outside of a transaction, the writes of the function are committed, even if its
 * output rejects the request.
 */
export function functionTransport(target: FunctionTarget, database: Database): HookTransport {
  const { schema, name, uri } = target;
  const text = `select ${quoteIdentifier(schema)}.${quoteIdentifier(name)}($1::jsonb)::text as output`;
  return {
    async send(payload, tx) {
      const statements = [LIMIT_TIME, { text, values: [payload] }, ...(tx ? [RESTORE_TIME] : [])];
      const results = await (tx ?? database).batch(statements).catch((error: unknown) => {
        throw refusalOf(error, uri);
      });
      const output = (results[1]?.[0]?.output ?? undefined) as string | undefined;
      if (output !== undefined && Buffer.byteLength(output) > SIZE_LIMIT) throw tooLarge();
      return output;
    },
  };
}

/**
 * Passes the message of a raised exception to the client. Hides other errors, which are bugs of the function or of the
 * settings.
 */
function refusalOf(error: unknown, uri: string): unknown {
  if (!isDatabaseError(error)) return error;
  if (error.code === CANCELED) return tooSlow(TIMEOUT_SECONDS);
  const isRaised = error.code === RAISED || error.code.startsWith('PT');
  if (isRaised) return rejectedByHook(statusOfSqlState(error.code), error.message, error);
  return failure('unexpected_failure', { message: `Error running hook URI: ${uri}`, cause: error });
}
