/** Explains why SQL did not run. */
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import type { RunEnding } from '../run/run-answer.ts';

/** Returns a function that explains a refusal. The message of PostgreSQL is shown as it is. */
export function useRefusalText(): (refused: Extract<RunEnding, { kind: 'refused' }>) => string {
  const { problems } = useTexts(adminSqlTexts);
  const known: Record<string, string> = {
    too_many_runs: problems.tooManyRuns,
    statement_cancelled: problems.cancelled,
    empty: problems.empty,
    claims: problems.claims,
    form: problems.form,
    running: problems.gone,
    database_unavailable: problems.other,
    unreachable: problems.other,
    unknown: problems.other,
  };
  return ({ code, message }) => known[code] ?? (message || problems.other);
}
