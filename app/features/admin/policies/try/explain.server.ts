/** Evaluates the policies of a table for each row that a statement concerns, as the role of the statement. */
import type { MetaClient, SqlProblem } from '../../../../session/meta-client.server.ts';
import type { exemptionOf } from '../access/access.ts';
import type { TableInfo } from '../access/model.ts';
import type { Caller } from './claims.ts';
import { type CheckResult, type RowVerdict, type Stage, stagesOf, verdictOf } from './stages.ts';
import { arrayText, composeEvaluation, composeProbe, MAX_ROWS, type StatementForm } from './statement.ts';

const TIMEOUT_MS = 10_000;

/** A row with the results of each stage's checks, and the decision. */
export interface ExplainedRow {
  /** Values of the row: for an insert, the new one; otherwise the existing one. */
  values: readonly (string | null)[];
  /** Values of the row after an update. */
  after: readonly (string | null)[] | undefined;
  results: readonly (readonly CheckResult[])[];
  verdict: RowVerdict;
}

/** The decisions about rows. */
export type Explanation =
  /** Row-level security does not apply. */
  | { kind: 'exempt'; reason: NonNullable<ReturnType<typeof exemptionOf>> }
  /** The rows or all policies could not be read. */
  | { kind: 'failed'; message: string }
  | {
      kind: 'rows';
      stages: readonly Stage[];
      columns: readonly string[];
      rows: readonly ExplainedRow[];
      isTruncated: boolean;
      /** Errors of expressions, by policy. */
      problems: readonly { policy: string; message: string }[];
    };

/** Options of {@link explain}. */
interface ExplainOptions {
  /** With qualified names in the expressions of policies. */
  table: TableInfo;
  /** Index of the role. */
  role: number;
  caller: Caller;
  form: StatementForm;
}

/** The row before and after the statement, as PostgreSQL's texts. */
type ProbedRow = readonly [before: string | null, after: string | null];

/** Explains a statement. Throws `MetaError`. */
export async function explain(meta: MetaClient, options: ExplainOptions): Promise<Explanation> {
  const { table, role, caller, form } = options;
  const readsRows = form.returnsRows || form.condition.trim() !== '';
  const stages = stagesOf(table.policies, role, form.verb, readsRows);
  const probed = await probe(meta, options);
  if ('message' in probed) return { kind: 'failed', message: probed.message };
  const rows = probed.rows.slice(0, MAX_ROWS);
  const evaluator = createEvaluator(meta, table, caller);
  const [old, after] = await Promise.all([
    evaluator.evaluate(stages, 'old', rows),
    evaluator.evaluate(stages, 'new', rows),
  ]);
  const shown = form.verb === 'insert' ? after : old;
  const failure = shown.error ?? old.error ?? after.error;
  if (failure) return { kind: 'failed', message: failure };
  const explained = rows.map((_, index): ExplainedRow => {
    const results = stages.map((stage) => (stage.row === 'old' ? old : after).resultsOf(stage, index));
    return {
      values: shown.values[index] ?? [],
      after: form.verb === 'update' ? after.values[index] : undefined,
      results,
      verdict: verdictOf(stages, results),
    };
  });
  return {
    kind: 'rows',
    stages,
    columns: shown.columns,
    rows: explained,
    isTruncated: probed.rows.length > MAX_ROWS,
    problems: evaluator.problems(stages),
  };
}

/** Reads or writes the rows as the owner of the database, in a transaction that is rolled back. */
async function probe(
  meta: MetaClient,
  { table, caller, form }: ExplainOptions,
): Promise<{ rows: readonly ProbedRow[] } | { message: string }> {
  const { sql, parameters } = composeProbe(table, form);
  const isRead = form.verb === 'select' || form.verb === 'delete';
  const { results, error } = await meta.run(sql, {
    // Defaults and triggers may read the claims.
    claims: caller.claims,
    commit: 'rollback',
    isReadOnly: isRead,
    timeoutMs: TIMEOUT_MS,
    maxRows: MAX_ROWS + 1,
    ...(parameters.length > 0 && { parameters }),
  });
  if (error) return { message: error.message };
  const rows = (results[0]?.rows ?? []) as unknown as ProbedRow[];
  return { rows: isRead ? rows.map(([text]) => [text, null]) : rows };
}

/** The results of expressions for a list of rows. */
interface Evaluated {
  columns: readonly string[];
  values: readonly (readonly (string | null)[])[];
  /** Set if no row could be read as the role, e.g. without rights on the schema. */
  error: string | undefined;
  resultsOf(stage: Stage, row: number): CheckResult[];
}

/** An expression that fails is evaluated alone, so that it leaves the others their results. */
function createEvaluator(meta: MetaClient, table: TableInfo, caller: Caller) {
  const errors = new Map<string, SqlProblem>();

  async function run(expressions: readonly string[], rows: readonly string[]) {
    const { results, error } = await meta.run(composeEvaluation(table, expressions), {
      parameters: [arrayText(rows)],
      role: caller.role,
      claims: caller.claims,
      commit: 'rollback',
      timeoutMs: TIMEOUT_MS,
      maxRows: MAX_ROWS,
    });
    return { result: results[0], error };
  }

  async function evaluateAll(expressions: readonly string[], rows: readonly string[]) {
    const ran = await run(expressions, rows);
    if (ran.error === null) return { ...ran, working: expressions };
    const working: string[] = [];
    for (const expression of expressions) {
      const { error } = await run([expression], rows);
      if (error === null) working.push(expression);
      else errors.set(expression, error);
    }
    return { ...(await run(working, rows)), working };
  }

  return {
    async evaluate(
      stages: readonly Stage[],
      side: Stage['row'],
      rows: readonly ProbedRow[],
    ): Promise<Evaluated> {
      const texts = rows.flatMap((row) => row[side === 'old' ? 0 : 1] ?? []);
      const expressions = expressionsOf(stages, side);
      if (texts.length === 0) return NOTHING;
      const { result, error, working } = await evaluateAll(expressions, texts);
      const evaluated = result?.rows ?? [];
      return {
        columns: result?.columns?.slice(working.length).map(({ name }) => name) ?? [],
        values: evaluated.map((row) => row.slice(working.length)),
        error: error?.message,
        resultsOf: ({ checks }, row) =>
          checks.map(({ expression }) => {
            const place = working.indexOf(expression);
            if (place < 0) return 'unknown';
            return evaluated[row]?.[place] === 't' ? 'passed' : 'failed';
          }),
      };
    },
    problems: (stages: readonly Stage[]) => problemsOf(stages, errors),
  };
}

const NOTHING: Evaluated = {
  columns: [],
  values: [],
  error: undefined,
  resultsOf: ({ checks }) => checks.map(() => 'unknown'),
};

function expressionsOf(stages: readonly Stage[], side: Stage['row']): string[] {
  const checks = stages.filter(({ row }) => row === side).flatMap(({ checks: of }) => of);
  return [...new Set(checks.map(({ expression }) => expression))];
}

function problemsOf(stages: readonly Stage[], errors: ReadonlyMap<string, SqlProblem>) {
  const found = new Map<string, string>();
  for (const { policy, expression } of stages.flatMap(({ checks }) => checks)) {
    const error = errors.get(expression);
    if (error) found.set(policy, error.message);
  }
  return [...found].map(([policy, message]) => ({ policy, message }));
}
