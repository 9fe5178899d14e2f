/** Rows as CSV. */
import type { ReportRows } from './read-report.ts';

/** Returns rows as `COPY … TO STDOUT WITH (FORMAT csv, HEADER)` writes them: NULL is empty, an empty text is `""`. */
export function csvOf({ columns, rows }: Pick<ReportRows, 'columns' | 'rows'>): string {
  const lines = [columns.map(({ name }) => name), ...rows].map((row) => row.map(fieldOf).join(','));
  return lines.map((line) => `${line}\n`).join('');
}

function fieldOf(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]|^\\\.$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
