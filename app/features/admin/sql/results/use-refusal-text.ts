/** Explains why SQL did not run. */
import { changeRefusalTexts } from '../../../../texts/admin-changes.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import type { RunEnding } from '../run/run-answer.ts';

/** Returns a function that explains a refusal. The message of PostgreSQL is shown as it is. */
export function useRefusalText(): (refused: Extract<RunEnding, { kind: 'refused' }>) => string {
  const { problems } = useTexts(adminSqlTexts);
  const reasons = useTexts(changeRefusalTexts);
  const known: Record<string, string> = {
    too_many_runs: problems.tooManyRuns,
    statement_cancelled: problems.cancelled,
    refused_setting: problems.noSchemaChanges(reasons.setting),
    refused_public_url: problems.noSchemaChanges(reasons.public_url),
    refused_read_only_folder: problems.noSchemaChanges(reasons.read_only_folder),
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
