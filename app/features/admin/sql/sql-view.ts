/** The data of the page. */
import type { MetaStatus } from '../../../session/meta-client.server.ts';
import type { RunEnding } from './run/run-answer.ts';
import type { RunFormProblem } from './run/run-form.ts';

/** A run of the form without scripts. `problem` is that of the form. */
export interface FormRun {
  sql: string;
  ending: RunEnding | null;
  problem: RunFormProblem | null;
}

/** `hosted`: the backend runs no SQL for the admin area. */
export type SqlView =
  | { kind: 'hosted' }
  | {
      kind: 'sql';
      /** The administrator; drafts belong to accounts. */
      userId: string;
      /** Whether runs are read-only until the administrator changes that. */
      isReadOnly: boolean;
      /** The reason why SQL that changes the schema is refused; null if it runs. */
      refusal: MetaStatus['schema_changes_refusal'];
      /** Whether changes of the schema can have migration files. */
      canWriteMigrations: boolean;
      /** Id of the next run of the form without scripts. */
      runId: string;
      ran: FormRun | null;
    };
