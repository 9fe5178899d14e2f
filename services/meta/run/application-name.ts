/** The name by which `pg_stat_activity` shows a run. */

/** Returns the name for the id of a run; PostgreSQL allows 63 bytes. */
export function applicationNameOf(id: string): string {
  return `greenroom meta ${id}`;
}
