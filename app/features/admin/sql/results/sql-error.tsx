/** An error of PostgreSQL, with a button that leads to its place in the editor. */
import { formatNumber } from '../../../../lib/format/number.ts';
import type { SqlProblem } from '../../../../session/meta-client.server.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { errorOffset } from '../editor/use-error-mark.ts';
import type { RunState } from '../run/run-state.ts';

/** Props of {@link SqlError}. */
interface SqlErrorProps {
  state: RunState;
  error: SqlProblem;
  text(): string;
  onGoTo(offset: number): void;
}

const CANCELLED = '57014';

/** Shows message, detail, hint and context. */
export function SqlError({ state, error, text, onGoTo }: SqlErrorProps) {
  const texts = useTexts(sqlResultTexts);
  const { problems } = useTexts(adminSqlTexts);
  const language = useLanguage();
  const offset = errorOffset(state);
  const place = offset === undefined ? undefined : placeOf(text(), offset);
  // All statements of a transaction were rolled back.
  const keepsEarlier =
    state.kind === 'ended' && state.ending.kind === 'ran' && state.ending.result.is_committed;
  const isCancelled = error.code === CANCELLED && /user request/.test(error.message);
  return (
    <Alert kind="error" title={isCancelled ? problems.cancelled : texts.failed}>
      {!isCancelled && (
        <p>
          {error.message} <span className="text-small opacity-80">({error.code})</span>
        </p>
      )}
      {error.detail && <p className="text-small">{error.detail}</p>}
      {error.hint && (
        <p className="text-small">
          {texts.hint} {error.hint}
        </p>
      )}
      {error.where && <p className="font-mono text-caption whitespace-pre-wrap opacity-80">{error.where}</p>}
      {keepsEarlier && error.statement > 0 && (
        <p className="text-small">{texts.earlierDone(error.statement)}</p>
      )}
      {place && offset !== undefined && (
        <Button type="button" size="small" className="mt-2" onClick={() => onGoTo(offset)}>
          {texts.goToError(formatNumber(place.line, language), formatNumber(place.column, language))}
        </Button>
      )}
    </Alert>
  );
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
