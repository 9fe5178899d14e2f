/** The statements that took the most time, by the statistics of pg_stat_statements. */
import type { MetaClient } from '../../../session/meta-client.server.ts';

/** A statement with placeholders instead of values. */
interface SlowStatement {
  query: string;
  calls: number;
  total_ms: number;
  mean_ms: number;
}

/** `missing`: the server does not load the extension, or the database does not have it. */
export type SlowStatements = { kind: 'statements'; statements: SlowStatement[] } | { kind: 'missing' };

/** The parameters of the extension exist only if the server has loaded it; without it, reading the view fails. */
const FIND_VIEW = `select quote_ident(nspname) as schema
  from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
  where extname = 'pg_stat_statements'
    and exists (select from pg_settings where name = 'pg_stat_statements.max')`;

/** Reads the statements. */
export async function readSlowStatements(meta: MetaClient): Promise<SlowStatements> {
  const [view] = await meta.rows<{ schema: string }>(FIND_VIEW);
  if (view === undefined) return { kind: 'missing' };
  const statements = await meta.rows<SlowStatement>(
    `select left(query, 500) as query, calls, round(total_exec_time::numeric, 1)::float8 as total_ms,
        round(mean_exec_time::numeric, 2)::float8 as mean_ms
      from ${view.schema}.pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
      order by total_exec_time desc limit 8`,
  );
  return { kind: 'statements', statements };
}
