/** Runs SQL text with the simple query protocol, like `psql -c`, and returns all values as PostgreSQL's texts. */
import pg from 'pg';
import type { Notice } from './session.ts';

/** The result of one statement. */
export interface TextResult {
  /** Empty for a statement without rows. */
  columns: readonly { name: string /** Oid of the type. */; type: number }[];
  rows: readonly (readonly (string | null)[])[];
  /** Command tag, e.g. `INSERT 0 1` (PostgreSQL documentation, "Message Formats", CommandComplete). */
  tag: string;
}

/** Options of {@link queryTexts}. */
interface TextQuery {
  url: string;
  /** One or more statements, which are one implicit transaction. */
  sql: string;
  /** Whether statements that write fail. Protects from mistakes only: the SQL may change the setting. */
  isReadOnly: boolean;
  applicationName: string;
  onNotice: (notice: Notice) => void;
}

const TEXT_PARSERS = { getTypeParser: () => (text: string) => text };

/** Rejects with pg's `DatabaseError`, whose `position` counts from the begin of `sql`. Keeps nothing of failed SQL. */
export async function queryTexts(query: TextQuery): Promise<TextResult[]> {
  const { url, sql, isReadOnly, applicationName, onNotice } = query;
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  // A connection that is lost makes the query fail; without a listener it would end the process.
  client.on('error', () => undefined);
  client.on('notice', ({ severity = 'NOTICE', message = '' }) => onNotice({ severity, message }));
  await client.connect();
  try {
    if (isReadOnly) await client.query('set default_transaction_read_only = on');
    const tags: string[] = [];
    client.connection.on('commandComplete', ({ text }: { text: string }) => tags.push(text));
    const found = await client.query({ text: sql, rowMode: 'array', types: TEXT_PARSERS });
    const results = (Array.isArray(found) ? found : [found]) as pg.QueryArrayResult<(string | null)[]>[];
    return results.map(({ fields, rows }, index) => ({
      columns: fields.map(({ name, dataTypeID: type }) => ({ name, type })),
      rows,
      tag: tags[index] ?? '',
    }));
  } finally {
    await client.end();
  }
}
