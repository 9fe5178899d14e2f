/** Assigns the fields of a CSV file to columns, and checks and packs its records. */
import { mistakeOf, type ValueMistake } from './draft-value.ts';
import type { TableColumn } from './table-model.ts';

/** For each field of the file the name of its column, or null to skip it. */
export type Mapping = readonly (string | null)[];

/** How an empty field is read. */
export type EmptyFields = 'null' | 'text';

/** A value that does not fit its column. `record` counts from 0. */
interface RecordMistake {
  record: number;
  column: string;
  mistake: ValueMistake | 'required';
}

/** Maximum number of records and of characters of a request. */
const MAX_RECORDS = 1000;
const MAX_CHARACTERS = 500_000;

/** Assigns fields to columns with the same name, regardless of case, spaces and underscores. */
export function suggestMapping(fields: readonly string[], columns: readonly TableColumn[]): Mapping {
  const free = new Map(columns.map(({ name }) => [simplify(name), name]));
  return fields.map((field) => {
    const name = free.get(simplify(field)) ?? null;
    if (name !== null) free.delete(simplify(field));
    return name;
  });
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Returns the mapped columns, in the order of the file. */
export function mappedColumns(mapping: Mapping): string[] {
  return mapping.filter((name) => name !== null);
}

/** Returns the values of a record for the mapped columns. An empty field is null, or for columns of texts an empty text if chosen. */
export function recordValues(
  record: readonly string[],
  mapping: Mapping,
  { columns, empty }: { columns: readonly TableColumn[]; empty: EmptyFields },
): (string | null)[] {
  return mapping.flatMap((name, index) => {
    if (name === null) return [];
    const text = record[index] ?? '';
    const isText = columns.find((column) => column.name === name)?.kind === 'text';
    return [text === '' && !(empty === 'text' && isText) ? null : text];
  });
}

/** Returns the mistakes of a record. */
export function recordMistakes(
  values: readonly (string | null)[],
  names: readonly string[],
  { columns, record }: { columns: readonly TableColumn[]; record: number },
): RecordMistake[] {
  return values.flatMap((value, index) => {
    const column = columns.find(({ name }) => name === names[index]);
    if (column === undefined) return [];
    const isMissing = value === null && !column.isNullable;
    const mistake = isMissing ? 'required' : value === null ? undefined : mistakeOf(column, value);
    return mistake ? [{ record, column: column.name, mistake }] : [];
  });
}

/** Splits records into chunks that fit a request each. */
export function splitChunks<T extends readonly (string | null)[]>(records: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let chunk: T[] = [];
  let size = 0;
  for (const record of records) {
    const length = record.reduce((sum, value) => sum + (value?.length ?? 4) + 3, 0);
    if (chunk.length > 0 && (chunk.length >= MAX_RECORDS || size + length > MAX_CHARACTERS)) {
      chunks.push(chunk);
      chunk = [];
      size = 0;
    }
    chunk.push(record);
    size += length;
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks;
}
