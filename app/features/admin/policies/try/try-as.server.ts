/**
 * Tries a statement as a role with claims, and explains which policy let each row through. Nothing is committed: each run is rolled
 * back, and is one statement that cannot end a transaction.
 */
import type { MetaClient, RunResult, SqlProblem } from '../../../../session/meta-client.server.ts';
import { exemptionOf } from '../access/access.ts';
import { loadColumnRights, loadColumns, loadRoles, loadTable } from '../access/catalog.server.ts';
import type { TableName, Verb } from '../access/model.ts';
import type { Caller } from './claims.ts';
import { type Explanation, explain } from './explain.server.ts';
import { type MissingRight, missingRights } from './missing-rights.ts';
import {
  composeStatement,
  MAX_ROWS,
  parseValues,
  requireOneStatement,
  type Statement,
  type StatementForm,
} from './statement.ts';

/** A policy reads its own table. */
const INFINITE_RECURSION = '42P17';
const TIMEOUT_MS = 10_000;

/** A statement to try: the fields of the form, or SQL. */
export interface Trial {
  table: TableName;
  caller: Caller;
  verb: Verb;
  condition: string;
  /** A JSON object. */
  values: string;
  returnsRows: boolean;
  /** SQL instead of the fields; the explanation is then about all rows of the table. */
  sql: string;
}

/** The result of a statement. */
export interface TrialResult {
  caller: Caller;
  sql: string;
  columns: readonly string[];
  rows: readonly (readonly (string | null)[])[];
  rowCount: number | null;
  isTruncated: boolean;
  error: SqlProblem | null;
  missing: readonly MissingRight[];
  explanation: Explanation;
}

/** The table or the role does not exist. */
export class UnknownTargetError extends Error {
  override readonly name = 'UnknownTargetError';
  readonly target: 'table' | 'role';

  constructor(target: 'table' | 'role') {
    super(`unknown ${target}`);
    this.target = target;
  }
}

/** Tries a statement. Throws `StatementError`, {@link UnknownTargetError} and `MetaError`. */
export async function tryAs(meta: MetaClient, trial: Trial): Promise<TrialResult> {
  const { caller } = trial;
  const [roles, table, columns, rights] = await Promise.all([
    loadRoles(meta),
    loadTable(meta, trial.table, 'qualified'),
    loadColumns(meta, trial.table),
    loadColumnRights(meta, trial.table, caller.role),
  ]);
  const role = roles.findIndex(({ name }) => name === caller.role);
  // The roles of requests are those that the authenticator can switch to; no other role is ever set.
  if (role < 0) throw new UnknownTargetError('role');
  if (table === undefined) throw new UnknownTargetError('table');
  const target = table;
  const form = formOf(trial, columns);
  const statement = form ? composeStatement(table, form) : statementOf(trial.sql);
  const ran = await runAs(meta, caller, statement);
  const exemption = exemptionOf(table, role, roles[role] ?? { bypasses: false });
  return {
    caller,
    sql: statement.sql,
    ...rowsOf(ran),
    error: ran.error,
    missing: form ? missingRights(table.rights[role] ?? '', rights, form) : [],
    explanation: await explanationOf(),
  };

  async function explanationOf(): Promise<Explanation> {
    if (exemption) return { kind: 'exempt', reason: exemption };
    // The statement fails before any row, although each policy alone could be evaluated.
    if (ran.error?.code === INFINITE_RECURSION) return { kind: 'failed', message: ran.error.message };
    return explain(meta, { table: target, role, caller, form: form ?? allRows(trial.sql) });
  }
}

function formOf(trial: Trial, columns: Parameters<typeof parseValues>[1]): StatementForm | undefined {
  if (trial.sql.trim() !== '') return undefined;
  const { verb, condition } = trial;
  const hasValues = verb === 'insert' || verb === 'update';
  return {
    verb,
    condition: verb === 'insert' ? '' : condition,
    values: hasValues ? parseValues(trial.values, columns) : {},
    returnsRows: trial.returnsRows && verb !== 'select',
  };
}

function statementOf(sql: string): Statement {
  requireOneStatement(sql);
  return { sql, parameters: [] };
}

/** SQL has conditions of its own, so the explanation covers rows of the whole table that the statement may read or delete. */
function allRows(sql: string): StatementForm {
  const verb = requireOneStatement(sql) === 'delete' ? 'delete' : 'select';
  return { verb, condition: '', values: {}, returnsRows: true };
}

async function runAs(meta: MetaClient, caller: Caller, { sql, parameters }: Statement): Promise<RunResult> {
  return meta.run(sql, {
    role: caller.role,
    claims: caller.claims,
    commit: 'rollback',
    timeoutMs: TIMEOUT_MS,
    maxRows: MAX_ROWS,
    ...(parameters.length > 0 && { parameters }),
  });
}

function rowsOf({ results: [result] }: RunResult) {
  return {
    columns: result?.columns?.map(({ name }) => name) ?? [],
    rows: result?.rows ?? [],
    rowCount: result?.row_count ?? null,
    isTruncated: result?.is_truncated ?? false,
  };
}
