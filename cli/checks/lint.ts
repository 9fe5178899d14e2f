/** `greenroom db lint`: prints the problems of PL/pgSQL functions in the form of the Supabase CLI, or for people. */
import { printLines, printStyledLines } from '../print-lines.ts';
import { schemasOf } from '../schema/source.ts';
import type { ProjectOptions } from '../settings.ts';
import { type CheckedFunction, checkFunctions, type Issue } from './check-functions.ts';
import { withCheckedDatabase } from './checked-database.ts';
import {
  countsOf,
  findingLine,
  INDENT,
  isAtLeast,
  printable,
  requireNone,
  type Severity,
} from './severity.ts';

/** Options of {@link lint}. */
interface LintOptions {
  /** Undefined: all schemas of the project. */
  schema: readonly string[] | undefined;
  level: 'warning' | 'error';
  failOn: 'none' | 'warning' | 'error';
  format: 'json' | 'pretty';
  /** Undefined: the database of the instance. */
  databaseUrl: string | undefined;
}

/** Prints the problems of at least a level; progress goes to the standard error. Throws if one is at least `failOn`. */
export async function lint(options: LintOptions, project: ProjectOptions): Promise<number> {
  const { level, failOn, format, databaseUrl } = options;
  const schemas = schemasOf(options.schema);
  const checked = await withCheckedDatabase(databaseUrl, project, (url) =>
    checkFunctions({ url, schemas, onSchema: (name) => note(`checking the functions of schema ${name}`) }),
  );
  const functions = withLevel(checked, level);
  const severities = functions.flatMap(({ issues }) => issues.flatMap((issue) => severityOf(issue) ?? []));
  if (functions.length === 0) note('no problems found');
  else if (format === 'json') printLines([JSON.stringify(functions, null, 2)]);
  else printStyledLines([...functions.flatMap(linesOf), countsOf(severities)]);
  requireNone(severities, failOn);
  return 0;
}

/** Messages of other levels are notices, which are not printed. */
function severityOf({ level }: Issue): Severity | undefined {
  return level === 'error' ? 'error' : level.startsWith('warning') ? 'warning' : undefined;
}

function withLevel(functions: readonly CheckedFunction[], minimum: Severity): CheckedFunction[] {
  return functions
    .map(({ issues, ...others }) => ({
      ...others,
      issues: issues.filter((issue) => {
        const severity = severityOf(issue);
        return severity !== undefined && isAtLeast(severity, minimum);
      }),
    }))
    .filter(({ issues }) => issues.length > 0);
}

function linesOf({ function: name, issues }: CheckedFunction): string[] {
  return issues.flatMap((issue) => {
    const { statement, query, detail, hint } = issue;
    const place = statement === undefined ? '' : `, line ${statement.lineNumber}`;
    const hintLine = hint === undefined ? undefined : `hint: ${hint}`;
    const further = [query?.text, detail, hintLine].filter((text) => text !== undefined);
    return [
      findingLine(severityOf(issue) ?? 'info', `${name}${place}: ${issue.message}`),
      ...further.map((text) => `${INDENT}${printable(text)}`),
    ];
  });
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
