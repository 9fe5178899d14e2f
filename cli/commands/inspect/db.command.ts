/** `greenroom inspect db <report>`: a command for each report of `@greenroom/inspect`. */
import { type CommandDefinition, defineCommand } from '../../definition.ts';

/** Summaries of the reports, by their names. */
const REPORTS = {
  bloat: 'Estimate the space that tables and indexes waste',
  blocking: 'List statements that wait for a lock, with those that hold it',
  calls: 'List the statements that ran most often',
  'collation-drift': 'List indexes whose order may differ from that of the running system',
  'db-stats': 'Print sizes, cache hit rates and the size of the write-ahead log',
  'index-stats': 'List indexes with their sizes and scans',
  locks: 'List exclusive locks, with the statements that hold or await them',
  'long-running-queries': 'List statements that run for more than five minutes',
  outliers: 'List the statements that took the most time in total',
  'replication-slots': 'List replication slots, with the size of the log that they keep',
  'role-stats': 'List roles with their connections and settings',
  'table-stats': 'List tables with their sizes, numbers of rows and scans',
  'toast-sizes': 'List tables with the storage of their long values',
  'traffic-profile': 'Compare reads and writes of each table',
  'vacuum-stats': 'List tables with the last and the next runs of vacuum and analyze',
  'xid-age': 'List tables with the age of their oldest transaction id',
} as const;

type ReportName = keyof typeof REPORTS;

/** Names of version 2 of the Supabase CLI, with the reports that contain their rows. */
const FORMER_NAMES: Readonly<Record<string, ReportName>> = {
  'cache-hit': 'db-stats',
  'index-sizes': 'index-stats',
  'index-usage': 'index-stats',
  'seq-scans': 'index-stats',
  'total-index-size': 'index-stats',
  'unused-indexes': 'index-stats',
  'table-index-sizes': 'table-stats',
  'table-record-counts': 'table-stats',
  'table-sizes': 'table-stats',
  'total-table-sizes': 'table-stats',
  'role-configs': 'role-stats',
  'role-connections': 'role-stats',
};

/** The commands, and those with former names, which are hidden. */
export const inspectDb: readonly CommandDefinition[] = [
  ...(Object.keys(REPORTS) as ReportName[]).map((name) => commandOf(name)),
  ...Object.entries(FORMER_NAMES).map(([former, name]) => commandOf(name, former)),
];

/** @param former the name of the command, if that is not the name of the report */
function commandOf(name: ReportName, former?: string): CommandDefinition {
  const line = `inspect db ${former ?? name}`;
  return defineCommand({
    path: ['inspect', 'db', former ?? name],
    isHidden: former !== undefined,
    summary: REPORTS[name],
    options: {
      output: {
        short: 'o',
        value: 'format',
        choices: ['pretty', 'json', 'csv'],
        default: 'pretty',
        summary: 'Format of the rows',
      },
      'db-url': {
        value: 'url',
        summary: 'Another database, as postgresql://user:password@host:port/database',
      },
    },
    examples: [
      { line, summary: 'Print a table' },
      { line: `${line} -o json`, summary: 'Print an array of objects' },
    ],
    async run({ options: { output: format, 'db-url': databaseUrl }, project }) {
      if (former !== undefined)
        process.stderr.write(`warning: "inspect db ${former}" is now "inspect db ${name}"\n`);
      const { printReport } = await import('../../inspect/print-report.ts');
      return printReport(name, { format, databaseUrl }, project);
    },
  });
}
