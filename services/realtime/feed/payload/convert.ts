/** Converts the values of changes to JSON. PostgreSQL converts uncommon types, for all changes in one batch. */
import type { FeedDatabase } from '../database.ts';
import { isTransient } from '../database.ts';
import { type RowChange, TOO_LARGE, type Tuple } from '../replication/pgoutput.ts';
import { jsonOf } from './json-value.ts';

/** JSON texts in the order of the relation's columns; undefined for a value that is not shown. */
export type JsonTuple = readonly (string | undefined)[];

/** A change with its values as JSON. */
export interface ConvertedChange {
  change: RowChange;
  record: JsonTuple | undefined;
  oldRecord: JsonTuple | undefined;
}

/** A value that PostgreSQL must convert, and the position of its result. */
interface Pending {
  typeOid: number;
  text: string;
  tuple: (string | undefined)[];
  index: number;
}

/** Converts the values of changes. A value that PostgreSQL no longer accepts for its type becomes a JSON string. */
export async function convertChanges(
  database: FeedDatabase,
  changes: readonly RowChange[],
): Promise<ConvertedChange[]> {
  const pending: Pending[] = [];
  const convert = (change: RowChange, tuple: Tuple | undefined) =>
    tuple && convertTuple(change, tuple, pending);
  const converted = changes.map((change) => ({
    change,
    record: convert(change, change.record),
    oldRecord: convert(change, change.oldRecord),
  }));
  await convertPending(database, pending);
  return converted;
}

function convertTuple({ relation }: RowChange, tuple: Tuple, pending: Pending[]): (string | undefined)[] {
  const result: (string | undefined)[] = [];
  for (const [index, { typeOid }] of relation.columns.entries()) {
    const text = tuple[index];
    if (text === undefined || text === TOO_LARGE) result.push(undefined);
    else if (text === null) result.push('null');
    else {
      const json = jsonOf(typeOid, text);
      result.push(json);
      if (json === undefined) pending.push({ typeOid, text, tuple: result, index });
    }
  }
  return result;
}

async function convertPending(database: FeedDatabase, pending: readonly Pending[]): Promise<void> {
  if (pending.length === 0) return;
  try {
    const results = await database.batch(pending.map(toJson));
    for (const [index, { tuple, index: at }] of pending.entries()) tuple[at] = jsonIn(results[index]);
  } catch (error) {
    if (isTransient(error)) throw error;
    await Promise.all(pending.map((value) => convertAlone(database, value)));
  }
}

/** Converts one value alone, because the type of another value may have been changed or dropped meanwhile. */
async function convertAlone(database: FeedDatabase, value: Pending): Promise<void> {
  const { tuple, index, text } = value;
  try {
    tuple[index] = jsonIn(await database.query(toJson(value)));
  } catch (error) {
    if (isTransient(error)) throw error;
    tuple[index] = JSON.stringify(text);
  }
}

function toJson({ typeOid, text }: Pending) {
  return {
    text: 'select pg_catalog.to_jsonb($1)::text as json',
    values: [text],
    types: [typeOid],
    name: `to_jsonb ${typeOid}`,
  };
}

function jsonIn(rows: readonly Record<string, unknown>[] | undefined): string {
  return String(rows?.[0]?.json ?? 'null');
}
