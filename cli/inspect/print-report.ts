/** `greenroom inspect db <report>`. */
import { csvOf, type ReportRows, readReport, reportNamed } from '@greenroom/inspect';
import { RENDERERS as RESULT_RENDERERS } from '../query/render-results.ts';
import { renderTable } from '../query/render-table.ts';
import { type ProjectOptions, readSettings } from '../settings.ts';
import { withInspectedDatabase } from './inspected-database.ts';
import { onOneLine } from './one-line.ts';

const RENDERERS = {
  pretty: asTable,
  json: ({ columns, rows }: ReportRows) => RESULT_RENDERERS.json([{ columns, rows, tag: '' }]),
  csv: csvOf,
} as const;

/** Options of {@link printReport}. */
interface ReportOptions {
  format: keyof typeof RENDERERS;
  /** Undefined: the database of the instance. */
  databaseUrl: string | undefined;
}

/** Prints the report of this name. */
export async function printReport(
  name: string,
  { format, databaseUrl }: ReportOptions,
  project: ProjectOptions,
): Promise<number> {
  const settings = await readSettings(project);
  const report = reportNamed(name);
  const rows = await withInspectedDatabase(settings, databaseUrl, (url) => readReport(url, report));
  process.stdout.write(RENDERERS[format](rows));
  return 0;
}

const BOOLEAN = 16;

/** A table with the headings and the columns for people; statements are on one line. */
function asTable({ report, columns, rows }: ReportRows): string {
  const shown = report.columns.map(({ name, heading }) => {
    const position = columns.findIndex((column) => column.name === name);
    return { position, name: heading, type: columns[position]?.type ?? 0 };
  });
  return renderTable({
    columns: shown,
    rows: rows.map((row) =>
      shown.map(({ position, type }) => {
        const value = row[position] ?? '';
        return type === BOOLEAN ? String(value === 't') : onOneLine(value);
      }),
    ),
  });
}
