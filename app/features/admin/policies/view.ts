/** Types of the page's data. */
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import type { MetaStatus } from '../../../session/meta-client.server.ts';
import type { SchemaChangeOutcome } from '../shared/change-schema.server.ts';
import type { ColumnInfo } from './access/catalog.server.ts';
import type { MatrixRow } from './access/matrix.ts';
import type { RoleInfo, TableInfo } from './access/model.ts';
import type { Part } from './access/words.ts';
import type { FindingFix, ShownFinding } from './advisors/advisors.server.ts';
import type { DraftProblem } from './edit/draft.ts';
import type { StatementError } from './try/statement.ts';
import type { TrialResult } from './try/try-as.server.ts';

/** All tables with the access of all roles, or the reason why they are missing. */
export type MatrixList =
  | {
      kind: 'matrix';
      roles: readonly RoleInfo[];
      rows: readonly MatrixRow[];
      platformSchemas: readonly string[];
    }
  | { kind: 'problem'; text: string };

/** The findings of the advisors, or the reason why they are missing. */
export type FindingList =
  | { kind: 'findings'; findings: readonly ShownFinding[] }
  | { kind: 'problem'; text: string };

/** The reason why schemas cannot be changed; null if they can. */
export type Refusal = MetaStatus['schema_changes_refusal'];

/** A person that the search found. */
export interface FoundPerson {
  id: string;
  email: string;
  phone: string;
  isAnonymous: boolean;
}

/** The data of “Try as”. */
export interface TryData {
  people: readonly FoundPerson[];
  /** The claims of the selected caller as JSON; undefined if no person is selected. */
  claims: string | undefined;
}

/** A table with the access of all roles in sentences. */
export interface TableDetail {
  table: TableInfo;
  columns: readonly ColumnInfo[];
  roles: readonly RoleInfo[];
  /** The sentences of each role, in the order of `roles`. */
  words: readonly (readonly (readonly Part[])[])[];
}

/** The data of the page. */
export type PoliciesView =
  | { kind: 'no-database' }
  | { kind: 'unavailable' }
  | { kind: 'matrix'; list: MaybePromise<MatrixList> }
  | { kind: 'gone' }
  | { kind: 'table'; detail: TableDetail; refusal: Refusal; trying: TryData | undefined }
  | {
      kind: 'advisors';
      list: MaybePromise<FindingList>;
      fix: FindingFix | 'gone' | undefined;
      refusal: Refusal;
    };

/** A mistake in the form of “Try as”. */
export type TryProblem = StatementError['reason'] | 'claims' | 'person' | 'role' | 'table';

/** The result of a form that leads to no other page. */
export type PoliciesResult =
  | { kind: 'draft'; problem: DraftProblem }
  /** SQL of both definitions; null if the policy or table no longer exists. */
  | { kind: 'conflict'; current: string | null; yours: string }
  | { kind: 'not-changed'; outcome: Exclude<SchemaChangeOutcome, { kind: 'done' }> }
  | { kind: 'fix-gone' }
  | { kind: 'tried'; result: TrialResult }
  | { kind: 'not-tried'; problem: TryProblem; message?: string };
