/** All reports. A new report is one line here, and a file. */
import type { Report } from './report.ts';
import { bloat } from './reports/bloat.ts';
import { blocking } from './reports/blocking.ts';
import { calls } from './reports/calls.ts';
import { collationDrift } from './reports/collation-drift.ts';
import { databaseStats } from './reports/db-stats.ts';
import { indexStats } from './reports/index-stats.ts';
import { locks } from './reports/locks.ts';
import { longRunningQueries } from './reports/long-running-queries.ts';
import { outliers } from './reports/outliers.ts';
import { replicationSlots } from './reports/replication-slots.ts';
import { roleStats } from './reports/role-stats.ts';
import { tableStats } from './reports/table-stats.ts';
import { toastSizes } from './reports/toast-sizes.ts';
import { trafficProfile } from './reports/traffic-profile.ts';
import { unusedIndexes } from './reports/unused-indexes.ts';
import { vacuumStats } from './reports/vacuum-stats.ts';
import { xidAge } from './reports/xid-age.ts';

/** In alphabetical order. */
export const REPORTS: readonly Report[] = [
  bloat,
  blocking,
  calls,
  collationDrift,
  databaseStats,
  indexStats,
  locks,
  longRunningQueries,
  outliers,
  replicationSlots,
  roleStats,
  tableStats,
  toastSizes,
  trafficProfile,
  unusedIndexes,
  vacuumStats,
  xidAge,
];

/** Returns the report. Throws a `RangeError` for an unknown name. */
export function reportNamed(name: string): Report {
  const report = REPORTS.find((each) => each.name === name);
  if (report) return report;
  throw new RangeError(`there is no report "${name}"`);
}

/** Returns the name of the file with the rows of a report, e.g. `index_stats.csv`. */
export function fileNameOf({ name }: Pick<Report, 'name'>): string {
  return `${name.replaceAll('-', '_')}.csv`;
}
