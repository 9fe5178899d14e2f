/** Results of forms that change a policy or row-level security. */
import type { SchemaChangeOutcome } from '../../shared/change-schema.server.ts';
import type { DraftProblem } from './draft.ts';

/** The change was not made. */
export interface NotChangedResult {
  kind: 'not-changed';
  outcome: Exclude<SchemaChangeOutcome, { kind: 'done' }>;
}

/** The result of a form that leads to no other page. */
export type ChangeResult =
  | { kind: 'draft'; problem: DraftProblem }
  /** SQL of both definitions; null if the policy or table no longer exists. */
  | { kind: 'conflict'; current: string | null; yours: string }
  | NotChangedResult;
