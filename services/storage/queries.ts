/** Runs statements that may read or change many rows: limits them per client, and limits the time of lists. */
import type { Statement } from '@greenroom/postgres';
import type { Context } from './context.ts';
import { inTurn, queryClientOf } from './limits.ts';
import { type Asking, asCaller, become, preparedFor } from './scope.ts';

const LIST_TIMEOUT: Statement = {
  text: `select pg_catalog.set_config('statement_timeout', '8s', true)`,
  name: 'storage_list_timeout',
};

/**
 * Runs a list query as the caller. Throws TooManyRequests, and DatabaseTimeout if the query takes more than 8 seconds.
 */
export function listAsCaller<Row>(context: Context, asking: Asking, statement: Statement): Promise<Row[]> {
  const { caller, request } = asking;
  return inTurn(context.limits.queries, queryClientOf(asking), async () => {
    const [, , rows = []] = await context.database.batch([
      become(caller, request),
      LIST_TIMEOUT,
      preparedFor(caller, statement),
    ]);
    return rows as Row[];
  });
}

/** Runs a statement that changes many rows as the caller. Throws TooManyRequests. */
export function manyAsCaller<Row>(context: Context, asking: Asking, statement: Statement): Promise<Row[]> {
  const { caller, request } = asking;
  return inTurn(context.limits.queries, queryClientOf(asking), () =>
    asCaller<Row>(context.database, caller, request, statement),
  );
}
