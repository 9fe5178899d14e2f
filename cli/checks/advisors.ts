/** `greenroom db advisors`: prints the findings of the advisors in the form of the Supabase CLI, or for people. */
import { advise, type Finding } from '@greenroom/advisors';
import { printLines, printStyledLines } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';
import { withCheckedDatabase } from './checked-database.ts';
import {
  bySeverity,
  countsOf,
  findingLine,
  INDENT,
  isAtLeast,
  printable,
  requireNone,
  type Severity,
} from './severity.ts';

type Level = 'info' | 'warn' | 'error';

/** Options of {@link advisors}. */
interface AdvisorsOptions {
  type: 'all' | 'security' | 'performance';
  level: Level;
  failOn: 'none' | Level;
  format: 'json' | 'pretty';
  /** Undefined: the database of the instance. */
  databaseUrl: string | undefined;
}

const SEVERITIES = { info: 'info', warn: 'warning', error: 'error', none: 'none' } as const;

/** Prints the findings of a type and of at least a level. Throws if one is at least `failOn`. */
export async function advisors(options: AdvisorsOptions, project: ProjectOptions): Promise<number> {
  const { level, failOn, format, databaseUrl } = options;
  const all = await withCheckedDatabase(databaseUrl, project, (url, { data }) =>
    advise({ url, exposedSchemas: data.schemas }),
  );
  const findings = all.filter(
    (finding) => hasType(finding, options.type) && isAtLeast(severityOf(finding), SEVERITIES[level]),
  );
  const severities = findings.map(severityOf);
  if (findings.length === 0) process.stderr.write('no issues found\n');
  else if (format === 'json') printLines([JSON.stringify(findings, null, 2)]);
  else printStyledLines([...bySeverity(findings, severityOf).flatMap(linesOf), countsOf(severities)]);
  requireNone(severities, SEVERITIES[failOn]);
  return 0;
}

function hasType({ categories }: Finding, type: AdvisorsOptions['type']): boolean {
  return type === 'all' || categories.some((category) => category.toLowerCase() === type);
}

function severityOf({ level }: Finding): Severity {
  return level === 'WARN' ? 'warning' : level === 'ERROR' ? 'error' : 'info';
}

function linesOf(finding: Finding): string[] {
  return [
    findingLine(severityOf(finding), finding.detail),
    `${INDENT}${finding.name}: ${printable(finding.remediation)}`,
  ];
}
