/**
 * The policies that decide about a statement, in the order in which PostgreSQL combines them (rowsecurity.c): a row passes a stage
 * if one of the permissive policies and all restrictive ones pass.
 */
import { type Clause, expressionOf, policiesFor } from '../access/access.ts';
import type { Policy, Verb } from '../access/model.ts';

/** One expression of a policy in a stage. */
interface PolicyCheck {
  policy: string;
  isPermissive: boolean;
  expression: string;
}

/** A stage. Its policies see the row before or after the statement. */
export interface Stage {
  /** The kind of the policies. */
  verb: Verb;
  clause: Clause;
  row: 'old' | 'new';
  /** A row that fails is hidden from the statement, or ends it with an error. */
  effect: 'hides' | 'refuses';
  checks: readonly PolicyCheck[];
}

/** What a check said about a row; unknown if its expression failed. */
export type CheckResult = 'passed' | 'failed' | 'unknown';

/** The decision about a row, and the stage that made it. */
export interface RowVerdict {
  outcome: 'passed' | 'hidden' | 'refused' | 'unknown';
  /** Index of the stage that did not let the row through; undefined if all did. */
  stage: number | undefined;
  /** The policies that were decisive: those that passed, or those that failed. */
  policies: readonly string[];
}

/**
 * Returns the stages of a statement. @param role index of the role. @param readsRows whether the statement reads columns of rows, by
 * a condition or `returning`: then the policies for `select` decide, too.
 */
export function stagesOf(policies: readonly Policy[], role: number, verb: Verb, readsRows: boolean): Stage[] {
  const stage = (of: Verb, clause: Clause, row: Stage['row'], effect: Stage['effect']): Stage => ({
    verb: of,
    clause,
    row,
    effect,
    checks: effectiveChecks(policiesFor(policies, of, role).flatMap((policy) => checkOf(policy, clause))),
  });
  const hides = (of: Verb) => stage(of, 'using', 'old', 'hides');
  const readsNew = readsRows ? [stage('select', 'using', 'new', 'refuses')] : [];
  const readsOld = readsRows ? [hides('select')] : [];
  const stages: Record<Verb, () => Stage[]> = {
    select: () => [hides('select')],
    insert: () => [stage('insert', 'check', 'new', 'refuses'), ...readsNew],
    update: () => [hides('update'), ...readsOld, stage('update', 'check', 'new', 'refuses'), ...readsNew],
    delete: () => [hides('delete'), ...readsOld],
  };
  return stages[verb]();
}

/** Without a permissive policy, no row passes, and PostgreSQL does not evaluate restrictive ones. */
function effectiveChecks(checks: PolicyCheck[]): PolicyCheck[] {
  return checks.some(({ isPermissive }) => isPermissive) ? checks : [];
}

function checkOf(policy: Policy, clause: Clause): PolicyCheck[] {
  const expression = expressionOf(policy, clause);
  if (expression === null) return [];
  return [{ policy: policy.name, isPermissive: policy.isPermissive, expression }];
}

/** Combines the results of the checks of each stage, in the same order. */
export function verdictOf(
  stages: readonly Stage[],
  results: readonly (readonly CheckResult[])[],
): RowVerdict {
  const passed: string[] = [];
  for (const [index, stage] of stages.entries()) {
    const { result, policies } = resultOf(stage, results[index] ?? []);
    if (result === 'passed') passed.push(...policies);
    else return { outcome: outcomeOf(result, stage), stage: index, policies };
  }
  return { outcome: 'passed', stage: undefined, policies: [...new Set(passed)] };
}

function outcomeOf(result: 'failed' | 'unknown', { effect }: Stage): RowVerdict['outcome'] {
  if (result === 'unknown') return 'unknown';
  return effect === 'hides' ? 'hidden' : 'refused';
}

function resultOf({ checks }: Stage, results: readonly CheckResult[]) {
  const named = (result: CheckResult, isPermissive: boolean) =>
    checks
      .filter((check, index) => check.isPermissive === isPermissive && results[index] === result)
      .map(({ policy }) => policy);
  const allowing = named('passed', true);
  const forbidding = named('failed', false);
  const unknown = [...named('unknown', true), ...named('unknown', false)];
  if (forbidding.length > 0) return { result: 'failed' as const, policies: forbidding };
  if (allowing.length === 0) {
    const maybe = named('unknown', true);
    return maybe.length > 0
      ? { result: 'unknown' as const, policies: maybe }
      : { result: 'failed' as const, policies: named('failed', true) };
  }
  return named('unknown', false).length > 0
    ? { result: 'unknown' as const, policies: unknown }
    : { result: 'passed' as const, policies: allowing };
}
