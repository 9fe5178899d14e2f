/** Names that some of PostgREST's settings had before; it takes them still. */

/** Today's names by those. */
const TODAYS_NAMES: ReadonlyMap<string, string> = new Map([
  ['PGRST_DB_SCHEMA', 'PGRST_DB_SCHEMAS'],
  ['PGRST_MAX_ROWS', 'PGRST_DB_MAX_ROWS'],
  ['PGRST_PRE_REQUEST', 'PGRST_DB_PRE_REQUEST'],
  ['PGRST_ROOT_SPEC', 'PGRST_DB_ROOT_SPEC'],
  ['PGRST_DB_POOL_TIMEOUT', 'PGRST_DB_POOL_MAX_IDLETIME'],
  ['PGRST_ROLE_CLAIM_KEY', 'PGRST_JWT_ROLE_CLAIM_KEY'],
  ['PGRST_SECRET_IS_BASE64', 'PGRST_JWT_SECRET_IS_BASE64'],
]);

/** The settings with today's names for those that have only an earlier one. */
export function withTodaysNames<Source extends Readonly<Record<string, string | undefined>>>(
  source: Source,
): Source {
  const renamed = [...TODAYS_NAMES].flatMap(([earlier, today]) =>
    source[earlier] && !source[today] ? [[today, source[earlier]] as const] : [],
  );
  return renamed.length === 0 ? source : { ...source, ...Object.fromEntries(renamed) };
}
