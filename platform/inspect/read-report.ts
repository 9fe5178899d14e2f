/** Reads reports from a database. */
import { queryTexts, type TextResult } from '@greenroom/postgres';
import { InspectError } from './inspect-error.ts';
import type { DatabaseFacts, Report } from './report.ts';
import { REPORTS } from './reports.ts';
import { STATEMENT_VIEW_QUERY } from './statement-view.ts';

/** The result of a report. */
export interface ReportRows extends Pick<TextResult, 'columns' | 'rows'> {
  report: Report;
}

/** A report that the database cannot have. */
interface MissingReport {
  report: Report;
  /** For the user. */
  reason: string;
}

/**
 * Reads one report.
 * @param url of any PostgreSQL from version 15, with a role that is a member of `pg_monitor`
 * @throws InspectError if the database does not collect the statistics, or refuses the query
 */
export async function readReport(url: string, report: Report): Promise<ReportRows> {
  return readWith(url, report, await readFacts(url));
}

/** Reads all reports, like {@link readReport}. Reports that the database cannot have are in `missing`. */
export async function readReports(url: string): Promise<{ found: ReportRows[]; missing: MissingReport[] }> {
  const facts = await readFacts(url);
  const missing = REPORTS.flatMap((report) => reasonWithout(report, facts));
  const possible = REPORTS.filter((report) => missing.every((each) => each.report !== report));
  const found: ReportRows[] = [];
  // One after the other, so that no report contains the query of another one.
  for (const report of possible) found.push(await readWith(url, report, facts));
  return { found, missing };
}

function reasonWithout(report: Report, facts: DatabaseFacts): MissingReport[] {
  try {
    report.query(facts);
    return [];
  } catch (error) {
    if (error instanceof InspectError) return [{ report, reason: error.message }];
    throw error;
  }
}

async function readFacts(url: string): Promise<DatabaseFacts> {
  const { rows } = await query(url, STATEMENT_VIEW_QUERY);
  const [[schema, blockPrefix] = []] = rows;
  return { statements: schema && blockPrefix ? { schema, blockPrefix } : undefined };
}

async function readWith(url: string, report: Report, facts: DatabaseFacts): Promise<ReportRows> {
  try {
    const { columns, rows } = await query(url, report.query(facts));
    return { report, columns, rows };
  } catch (error) {
    throw new InspectError(`${report.name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function query(url: string, sql: string): Promise<Pick<TextResult, 'columns' | 'rows'>> {
  const [result] = await queryTexts({
    url,
    sql,
    isReadOnly: true,
    applicationName: 'greenroom inspect',
    onNotice: () => undefined,
  });
  return result ?? { columns: [], rows: [] };
}
