/** The results of the run of the open query: its state, errors, notices, and the results of its statements. */
import { formatNumber } from '../../../../lib/format/number.ts';
import type { RunResult } from '../../../../session/meta-client.server.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { ButtonLink } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { isPlan, PlanResult } from '../explain/plan-result.tsx';
import { formatMs } from '../format-ms.ts';
import type { RunEnding } from '../run/run-answer.ts';
import type { RunState } from '../run/run-state.ts';
import { SqlError } from './sql-error.tsx';
import { StatementResults } from './statement-results.tsx';
import { useRefusalText } from './use-refusal-text.ts';

/** Props of {@link RunResults}. */
interface RunResultsProps {
  state: RunState;
  /** Returns the text of the editor. */
  text(): string;
  onGoTo(offset: number): void;
}

/** Its parts are announced to screen readers when they appear. */
export function RunResults({ state, text, onGoTo }: RunResultsProps) {
  const texts = useTexts(sqlResultTexts);
  return (
    <section aria-label={texts.results} className="grid min-w-0 gap-3">
      <Announcement state={state} />
      <Content state={state} text={text} onGoTo={onGoTo} />
    </section>
  );
}

function Content({ state, text, onGoTo }: RunResultsProps) {
  const texts = useTexts(sqlResultTexts);
  const page = useTexts(adminSqlTexts);
  switch (state.kind) {
    case 'idle':
      return (
        <div className="card">
          <EmptyState icon="lucide:terminal" title={texts.noResults} text={texts.noResultsText} />
        </div>
      );
    case 'running':
      return state.isDisconnected ? <Alert kind="warning">{page.reconnecting}</Alert> : null;
    case 'unknown':
      return (
        <Alert kind="error">
          {page.problems[state.problem]}
          {state.problem === 'session' && (
            <span className="mt-2 block">
              <ButtonLink to="/login" size="small" reloadDocument>
                {page.signIn}
              </ButtonLink>
            </span>
          )}
        </Alert>
      );
    case 'ended':
      return <Ended state={state} text={text} onGoTo={onGoTo} />;
  }
}

function Ended(props: RunResultsProps & { state: Extract<RunState, { kind: 'ended' }> }) {
  const { state, text, onGoTo } = props;
  const texts = useTexts(sqlResultTexts);
  const language = useLanguage();
  const refusalText = useRefusalText();
  const { ending, id } = state;
  if (ending.kind === 'refused') return <Alert kind="error">{refusalText(ending)}</Alert>;
  const { result, migration } = ending;
  return (
    <>
      {migration && (
        <Alert kind="success">
          {texts.migration(migration)} {texts.total(formatMs(result.duration_ms, language))}
        </Alert>
      )}
      {result.error && <SqlError state={state} error={result.error} text={text} onGoTo={onGoTo} />}
      <Notices result={result} />
      {isPlan(result) ? (
        <PlanResult result={result} />
      ) : (
        <StatementResults key={id} runId={id} result={result} />
      )}
    </>
  );
}

function Notices({ result }: { result: RunResult }) {
  const texts = useTexts(sqlResultTexts);
  if (result.notices.length === 0) return null;
  return (
    <details open className="card px-4 py-2.5 text-small">
      <summary className="cursor-pointer font-medium">{texts.notices}</summary>
      <ul className="mt-1 max-h-40 overflow-y-auto font-mono whitespace-pre-wrap text-ink-muted">
        {result.notices.map(({ severity, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and messages repeat
          <li key={index}>
            {severity}: {message}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A sentence for screen readers, since results appear far from the focus. */
function Announcement({ state }: { state: RunState }) {
  const page = useTexts(adminSqlTexts);
  const summaryOf = useSummary();
  return (
    <p role="status" className="sr-only">
      {state.kind === 'running' && page.running}
      {state.kind === 'ended' && summaryOf(state.ending)}
    </p>
  );
}

function useSummary(): (ending: RunEnding) => string {
  const texts = useTexts(sqlResultTexts);
  const language = useLanguage();
  return (ending) => {
    if (ending.kind === 'refused' || ending.result.error) return '';
    const { results, duration_ms: ms } = ending.result;
    const last = results.at(-1);
    const rows = last?.columns && !isPlan(ending.result) ? texts.rows(last.rows.length) : texts.done;
    const count = results.length > 1 ? `${formatNumber(results.length, language)} ${texts.results} · ` : '';
    return `${count}${rows} · ${texts.total(formatMs(ms, language))}`;
  };
}
