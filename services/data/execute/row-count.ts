/** Limits of the number of rows that a request reads or writes. */
import { failure } from '../errors.ts';
import type { ExecutionPlan } from '../plan/request-plan.ts';
import { requireWritten } from '../plan/write-plan.ts';
import { maxAffectedOf, type Preferences } from '../request/preferences.ts';

/** Whether a request limits the number of its rows, so that {@link requireRowCount} can throw. */
export function limitsRowCount(plan: ExecutionPlan, preferences: Preferences): boolean {
  if (returnsNoRows(plan)) return false;
  return plan.kind === 'put' || requiresSingleRow(plan) || maxAffectedOf(preferences, plan) !== undefined;
}

/**
 * Checks the number of rows that were read or written.
 * @throws PGRST115 if a PUT did not write the row of its URL, PGRST116 if the client accepts a single object and the
 *   number of rows is not 1, PGRST124 if the request changed more rows than `max-affected` allows
 */
export function requireRowCount(plan: ExecutionPlan, preferences: Preferences, rows: number): void {
  if (returnsNoRows(plan)) return;
  requireWritten(plan, rows);
  if (requiresSingleRow(plan)) requireSingleRow(rows);
  requireMaxAffected(rows, maxAffectedOf(preferences, plan));
}

function returnsNoRows(plan: ExecutionPlan): boolean {
  return plan.kind === 'describe' || plan.explains;
}

function requiresSingleRow(plan: ExecutionPlan): boolean {
  return plan.kind !== 'describe' && plan.kind !== 'put' && plan.negotiated.handler.kind === 'object';
}

/** Throws PGRST116 unless there is exactly one row. Older clients search the details for `0 rows`. */
export function requireSingleRow(rows: number): void {
  if (rows !== 1) throw failure('PGRST116', { extra: { details: `The result contains ${rows} rows` } });
}

/** Throws PGRST124 if more rows were changed than the client allows. */
export function requireMaxAffected(rows: number, maxAffected: number | undefined): void {
  if (maxAffected === undefined || rows <= maxAffected) return;
  throw failure('PGRST124', { extra: { details: `The query affects ${rows} rows` } });
}
