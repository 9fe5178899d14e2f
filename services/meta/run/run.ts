/**
 * Runs the SQL of a request on one connection, statement by statement, and describes the results. Values are PostgreSQL's
 * texts: numbers keep all their digits.
 */

import type { LimitedResult, RawClient, ResultColumn } from '@greenroom/postgres';
import { runLimited } from '@greenroom/postgres';
import { offsetOfPosition } from '@greenroom/project/sql';
import pg from 'pg';
import { applicationNameOf } from './application-name.ts';
import type { RunRequest } from './run-request.ts';
import { type PlacedStatement, requireNoEnd, statementsOf } from './statements.ts';
import { type TypeNames, typeNamesOf } from './type-names.ts';

/** Bytes of all rows of a response. */
const MAX_BYTES = 16 * 1024 * 1024;
const UNLIMITED = { maxRows: 1, maxBytes: MAX_BYTES };

/** The result of one statement. */
interface StatementOutcome {
  /** First word of the command tag: `SELECT`, `INSERT`, `CREATE`; empty for a query that was not read to its end. */
  command: string;
  /** Number of rows that the statement returned or changed; null if it is unknown. */
  row_count: number | null;
  /** Null for a statement without rows. */
  columns: readonly OutcomeColumn[] | null;
  rows: readonly (readonly (string | null)[])[];
  /** Whether the result has more rows. */
  is_truncated: boolean;
  duration_ms: number;
}

interface OutcomeColumn {
  name: string;
  /** As `format_type` writes it. */
  type: string;
  type_oid: number;
  /** OID of the table; null for an expression. */
  table: number | null;
  /** Number of the column in its table; null for an expression. */
  column: number | null;
}

/** An error of PostgreSQL. */
interface SqlFailure {
  /** SQLSTATE. */
  code: string;
  message: string;
  detail?: string;
  hint?: string;
  /** The calls that led to the error. */
  where?: string;
  /** Offset in the SQL of the request, in UTF-16 units; null if PostgreSQL names none. */
  offset: number | null;
  /** Index of the statement that failed. */
  statement: number;
  schema?: string;
  table?: string;
  column?: string;
  constraint?: string;
}

/** The response of a run. */
export interface RunOutcome {
  results: readonly StatementOutcome[];
  notices: readonly { severity: string; message: string }[];
  /** Null if all statements succeeded. Later statements did not run. */
  error: SqlFailure | null;
  /** Whether the effects of the statements remain; `each`: those of the statements without errors. */
  is_committed: boolean;
  duration_ms: number;
}

/** Runs the request. Rejects if the connection is lost, or with an error of the catalogue for SQL that cannot be split. */
export async function runRequest(client: RawClient, request: RunRequest): Promise<RunOutcome> {
  const statements =
    request.parameters.length > 0 ? [{ text: request.sql, offset: 0, words: [] }] : statementsOf(request.sql);
  // Text with parameters is one statement, and PostgreSQL accepts none for the end of a transaction.
  if (request.commit === 'rollback') requireNoEnd(statements);
  const notices: { severity: string; message: string }[] = [];
  const onNotice = ({ severity = 'NOTICE', message = '' }) => notices.push({ severity, message });
  client.on('notice', onNotice);
  const startedAt = performance.now();
  try {
    await prepareSession(client, request);
    const ran = await runStatements(client, request, statements);
    const types = await typeNamesOf(
      client,
      ran.results.flatMap(({ result }) => result.columns ?? []),
    );
    return {
      results: ran.results.map(({ result, durationMs }) => outcomeOf(result, durationMs, types)),
      notices,
      error: ran.error,
      is_committed: ran.isCommitted,
      duration_ms: performance.now() - startedAt,
    };
  } finally {
    client.off('notice', onNotice);
  }
}

/** The settings end with `discard all`, or with the connection. */
async function prepareSession(client: RawClient, request: RunRequest): Promise<void> {
  const { id, role, claims, read_only: isReadOnly, timeout_ms: timeoutMs } = request;
  const settings: [string, string][] = [
    // Other processes of the instance find the run by this name.
    ...(id === undefined ? [] : [['application_name', applicationNameOf(id)] as [string, string]]),
    ['statement_timeout', String(timeoutMs)],
    ['idle_in_transaction_session_timeout', '60000'],
    ['default_transaction_read_only', isReadOnly ? 'on' : 'off'],
    ...(claims ? [['request.jwt.claims', JSON.stringify(claims)] as [string, string]] : []),
    // The last one: other settings may need the rights of the login role.
    ...(role === undefined ? [] : [['role', role] as [string, string]]),
  ];
  const calls = settings.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, false)`);
  await runLimited(client, { text: `select ${calls.join(', ')}`, values: settings.flat(), ...UNLIMITED });
}

interface RanStatements {
  results: { result: LimitedResult; durationMs: number }[];
  error: SqlFailure | null;
  isCommitted: boolean;
}

async function runStatements(
  client: RawClient,
  { parameters, commit, max_rows: maxRows }: RunRequest,
  statements: readonly PlacedStatement[],
): Promise<RanStatements> {
  const results: RanStatements['results'] = [];
  if (commit !== 'each') await runLimited(client, { text: 'begin', ...UNLIMITED });
  let bytesLeft = MAX_BYTES;
  for (const [index, { text, offset }] of statements.entries()) {
    const startedAt = performance.now();
    try {
      const result = await runLimited(client, { text, values: parameters, maxRows, maxBytes: bytesLeft });
      bytesLeft -= bytesOf(result);
      results.push({ result, durationMs: performance.now() - startedAt });
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      if (!hasNoTransaction(client)) await runLimited(client, { text: 'rollback', ...UNLIMITED });
      return { results, error: failureOf(error, index, { text, offset }), isCommitted: commit === 'each' };
    }
  }
  const end = await endTransaction(client, commit, statements.length);
  return { results, ...end };
}

/** Also ends a transaction that the statements have begun and left open. */
async function endTransaction(client: RawClient, commit: RunRequest['commit'], statement: number) {
  if (commit === 'each' && hasNoTransaction(client)) return { error: null, isCommitted: true };
  try {
    // Deferred constraints are checked by the commit.
    const { tag } = await runLimited(client, {
      text: commit === 'all' ? 'commit' : 'rollback',
      ...UNLIMITED,
    });
    return { error: null, isCommitted: tag === 'COMMIT' };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { error: failureOf(error, statement, { text: '', offset: 0 }), isCommitted: false };
  }
}

function hasNoTransaction(client: RawClient): boolean {
  return client.getTransactionStatus() === 'I';
}

function bytesOf({ rows }: LimitedResult): number {
  let bytes = 0;
  for (const row of rows) for (const field of row) bytes += field?.length ?? 0;
  return bytes;
}

function outcomeOf(result: LimitedResult, durationMs: number, types: TypeNames): StatementOutcome {
  const { columns, rows, tag, isTruncated } = result;
  return {
    command: /^[A-Z ]*[A-Z]/.exec(tag)?.[0] ?? '',
    row_count: rowCountOf(result),
    columns: columns?.map((column) => columnOf(column, types)) ?? null,
    rows,
    is_truncated: isTruncated,
    duration_ms: durationMs,
  };
}

function rowCountOf({ tag, rows, isTruncated }: LimitedResult): number | null {
  const count = / (\d+)$/.exec(tag)?.[1];
  if (count !== undefined) return Number(count);
  return isTruncated ? null : rows.length;
}

function columnOf({ name, type, table, number }: ResultColumn, types: TypeNames): OutcomeColumn {
  return {
    name,
    type: types.get(type) ?? 'unknown',
    type_oid: type,
    table: table || null,
    column: number || null,
  };
}

function failureOf(
  error: pg.DatabaseError,
  statement: number,
  { text, offset }: Pick<PlacedStatement, 'text' | 'offset'>,
): SqlFailure {
  const { code = '', message, detail, hint, where, position, schema, table, column, constraint } = error;
  return {
    code,
    message,
    ...(detail && { detail }),
    ...(hint && { hint }),
    ...(where && { where }),
    offset: position === undefined ? null : offset + offsetOfPosition(text, Number(position)),
    statement,
    ...(schema && { schema }),
    ...(table && { table }),
    ...(column && { column }),
    ...(constraint && { constraint }),
  };
}
