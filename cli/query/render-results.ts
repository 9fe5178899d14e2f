/** Renders the results of SQL: as psql does, as JSON, and as CSV. */
import type { TextResult } from '@greenroom/postgres';
import { renderTable } from './render-table.ts';

/** The formats of results. */
export const RENDERERS = { table: asTables, json: asJson, csv: asCsv } as const;

/** Tables of psql; command tags of statements without rows. */
function asTables(results: readonly TextResult[]): string {
  return results
    .map((result) => (result.columns.length > 0 ? renderTable(result) : `${result.tag}\n`))
    .join('');
}

/** An array of rows; of several statements, an array of those. */
function asJson(results: readonly TextResult[]): string {
  const [first, ...others] = results.map(rowsOf);
  return `${JSON.stringify(others.length === 0 ? (first ?? []) : [first, ...others], null, 2)}\n`;
}

function rowsOf({ columns, rows }: TextResult): Record<string, unknown>[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ name, type }, index) => [name, jsonValue(row[index] ?? null, type)])),
  );
}

const BOOLEAN = 16;
const JSON_TYPES = new Set([114, 3802]);
/** int8, int2, int4, oid, float4, float8, numeric. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);

/** Node.js has it, the types of the language have not (proposal JSON.parse source text access). */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** Numbers keep all their digits; NaN and infinity are texts, because JSON has none. */
function jsonValue(text: string | null, type: number): unknown {
  if (text === null) return null;
  if (type === BOOLEAN) return text === 't';
  if (JSON_TYPES.has(type)) return JSON.parse(text);
  if (NUMBERS.has(type) && /^-?\d/.test(text)) return rawJSON(text);
  return text;
}

/** RFC 4180 with line feeds, as `psql --csv` writes it: NULL is empty, and an empty text is quoted by neither. */
function asCsv(results: readonly TextResult[]): string {
  return results
    .map(({ columns, rows, tag }) => {
      if (columns.length === 0) return `${tag}\n`;
      const table = [columns.map(({ name }) => name), ...rows.map((row) => row.map((value) => value ?? ''))];
      return table.map((row) => `${row.map(quoted).join(',')}\n`).join('');
    })
    .join('');
}

function quoted(value: string): string {
  return /[",\r\n]|^\\\.$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
