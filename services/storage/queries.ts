/** Runs statements that may read or change many rows: limits them per client, and limits the time of lists. */
import type { Statement } from '@greenroom/postgres';
import type { Context } from './context.ts';
import { queryLimitKeysOf, runLimited } from './limits.ts';
import { type AccessContext, asCaller, impersonate, preparedFor } from './scope.ts';

const LIST_TIMEOUT: Statement = {
  text: `select pg_catalog.set_config('statement_timeout', '8s', true)`,
  name: 'storage_list_timeout',
};

/**
 * Runs a list query as the caller. Throws TooManyRequests, and DatabaseTimeout if the query takes more than 8 seconds.
 */
export function listAsCaller<Row>(
  context: Context,
  access: AccessContext,
  statement: Statement,
): Promise<Row[]> {
  const { caller, request } = access;
  return runLimited(context.limits.queries, queryLimitKeysOf(access), async () => {
    const [, , rows = []] = await context.database.batch([
      impersonate(caller, request),
      LIST_TIMEOUT,
      preparedFor(caller, statement),
    ]);
    return rows as Row[];
  });
}

/** Runs a statement that changes many rows as the caller. Throws TooManyRequests. */
export function changeManyAsCaller<Row>(
  context: Context,
  access: AccessContext,
  statement: Statement,
): Promise<Row[]> {
  const { caller, request } = access;
  return runLimited(context.limits.queries, queryLimitKeysOf(access), () =>
    asCaller<Row>(context.database, caller, request, statement),
  );
}
