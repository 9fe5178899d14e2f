/** `greenroom inspect report`. */
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import {
  checkRules,
  csvOf,
  DEFAULT_RULES,
  fileNameOf,
  type Report,
  type ReportRows,
  type RuleResult,
  readReports,
} from '@greenroom/inspect';
import { renderTable } from '../query/render-table.ts';
import { type ProjectOptions, readSettings } from '../settings.ts';
import { withInspectedDatabase } from './inspected-database.ts';
import { onOneLine } from './one-line.ts';

/** Statements contain values of users. */
const FILE_MODE = 0o600;
const TEXT = 25;

/** Longer lists of matches are counted. */
const MAX_MATCHES_LENGTH = 20;

/** Options of {@link writeReports}. */
interface Options {
  format: 'pretty' | 'json';
  /** Folder in which a folder with the name of the day is created. */
  outputDir: string;
  /** Undefined: the database of the instance. */
  databaseUrl: string | undefined;
}

/** Writes a file for each report, and prints the results of the rules. A rule that is broken is no failure. */
export async function writeReports(
  { format, outputDir, databaseUrl }: Options,
  project: ProjectOptions,
): Promise<number> {
  const settings = await readSettings(project);
  const { found, missing } = await withInspectedDatabase(settings, databaseUrl, readReports);
  const folder = join(outputDir, localDate());
  await writeFiles(
    folder,
    found,
    missing.map(({ report }) => report),
  ).catch((error: Error) => {
    throw new Error(`cannot write ${folder}: ${error.message}`, { cause: error });
  });
  process.stderr.write(`wrote ${found.length} reports to ${folder}\n`);
  for (const [reason, reports] of Map.groupBy(missing, (each) => each.reason)) {
    const names = reports.map(({ report }) => fileNameOf(report)).join(' and ');
    process.stderr.write(`without ${names}: ${reason}\n`);
  }
  const rules = settings.configFile?.projectKeys.inspectRules ?? [];
  const results = checkRules(rules.length > 0 ? rules : DEFAULT_RULES, found);
  process.stdout.write(format === 'json' ? asJson(folder, found, results) : asTable(results));
  return 0;
}

/** The names are those of the Supabase CLI. */
function asJson(folder: string, found: readonly ReportRows[], results: readonly RuleResult[]): string {
  const files = found.map(({ report }) => ({
    name: fileNameOf(report).replace('.csv', ''),
    path: resolve(folder, fileNameOf(report)),
  }));
  const rules = results.map(({ name, status, matches }) => ({ name, status, matches: matches ?? '-' }));
  return `${JSON.stringify({ outputDir: resolve(folder), files, rules }, null, 2)}\n`;
}

/** Removes the files of missing reports, which are from an earlier command of the same day. */
async function writeFiles(
  folder: string,
  found: readonly ReportRows[],
  missing: readonly Report[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const report of missing) await rm(join(folder, fileNameOf(report)), { force: true });
  for (const rows of found) {
    await writeFileAtomically(join(folder, fileNameOf(rows.report)), csvOf(rows), FILE_MODE);
  }
}

function asTable(results: readonly RuleResult[]): string {
  return renderTable({
    columns: ['Rule', 'Status', 'Matches'].map((name) => ({ name, type: TEXT })),
    rows: results.map(({ name, status, matches }) => [name, onOneLine(status), shownMatches(matches ?? '-')]),
  });
}

function shownMatches(matches: string): string {
  const { length } = matches.split(',');
  return length > 1 && matches.length > MAX_MATCHES_LENGTH ? `${length} matches` : onOneLine(matches);
}

/** Returns the day in the time zone of the machine, e.g. `2026-11-26`. */
function localDate(now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
}
