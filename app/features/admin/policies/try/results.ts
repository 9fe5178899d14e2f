/** The data of “Try as”, and the results of its form. */
import type { StatementError } from './statement.ts';
import type { TrialResult } from './try-as.server.ts';

/** A person that the search found. */
export interface FoundPerson {
  id: string;
  email: string;
  phone: string;
  isAnonymous: boolean;
}

/** The people and the caller. */
export interface TryData {
  people: readonly FoundPerson[];
  /** The claims of the selected caller as JSON; undefined if no person is selected. */
  claims: string | undefined;
}

/** A mistake in the form. */
type TryProblem = StatementError['reason'] | 'claims' | 'person' | 'role' | 'table';

/** The result of the form. */
export type TryResult =
  | { kind: 'tried'; result: TrialResult }
  | { kind: 'not-tried'; problem: TryProblem; message?: string };
