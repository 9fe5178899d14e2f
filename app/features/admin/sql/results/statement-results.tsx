/** The results of the statements of a run, of which one is shown, as a table or a chart. */
import { lazy, Suspense, useState } from 'react';
import { formatNumber } from '../../../../lib/format/number.ts';
import { retriableImport } from '../../../../lib/modules/retriable-import.ts';
import type { RunResult, StatementResult } from '../../../../session/meta-client.server.ts';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Button, buttonClass } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { SegmentedRadios } from '../../../../ui/segmented-control.tsx';
import { useToast } from '../../../../ui/use-toast.ts';
import { formatMs } from '../format-ms.ts';
import { usePath } from '../use-path.ts';
import { toCsv } from './csv.ts';
import { download } from './download.ts';
import { ResultGrid } from './result-grid.tsx';

const ChartView = lazy(retriableImport(() => import('../chart/chart-view.tsx')));

/** A command whose rows can be read again. */
const IS_QUERY = /^(?:SELECT)?$/;

/** Shows the last result with rows first. */
export function StatementResults({ runId, result }: { runId: string; result: RunResult }) {
  const texts = useTexts(sqlResultTexts);
  const language = useLanguage();
  const { results } = result;
  const [shown, setShown] = useState(() => lastWithRows(results));
  const current = results[shown];
  if (current === undefined) return null;
  const names = results.map((each, index) => ({
    value: String(index),
    label: `${formatNumber(index + 1, language)} ${each.command || 'SELECT'}`,
  }));
  return (
    <div className="grid min-w-0 gap-3">
      {results.length > 1 && (
        <div className="scroll-row">
          <SegmentedRadios
            label={texts.resultTabs}
            options={names}
            value={String(shown)}
            onChange={(value) => setShown(Number(value))}
          />
        </div>
      )}
      <StatementView
        key={shown}
        statement={current}
        exportPath={`/admin/sql/export?run=${runId}&statement=${shown}`}
      />
      {!result.is_committed && result.error === null && (
        <p className="text-small text-ink-muted">{texts.rolledBack}</p>
      )}
    </div>
  );
}

function StatementView({ statement, exportPath }: { statement: StatementResult; exportPath: string }) {
  const texts = useTexts(sqlResultTexts);
  const [view, setView] = useState<'table' | 'chart'>('table');
  const { columns, rows } = statement;
  if (columns === null) return <CommandResult statement={statement} />;
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ResultFacts statement={statement} />
        <div className="flex flex-wrap items-center gap-2">
          <SegmentedRadios<'table' | 'chart'>
            label={texts.view}
            options={[
              { value: 'table', label: texts.views.table },
              { value: 'chart', label: texts.views.chart },
            ]}
            value={view}
            onChange={setView}
          />
          <Exports statement={statement} exportPath={exportPath} />
        </div>
      </div>
      {view === 'table' && rows.length > 0 && <ResultGrid columns={columns} rows={rows} />}
      {view === 'table' && rows.length === 0 && (
        <div className="card">
          <EmptyState
            icon="lucide:table"
            title={texts.noRows}
            text={columns.map(({ name }) => name).join(', ')}
          />
        </div>
      )}
      {view === 'chart' && (
        <Suspense fallback={<p role="status">{texts.chart.loading}</p>}>
          <ChartView columns={columns} rows={rows} />
        </Suspense>
      )}
    </div>
  );
}

function ResultFacts({ statement }: { statement: StatementResult }) {
  const texts = useTexts(sqlResultTexts);
  const language = useLanguage();
  const { rows, is_truncated: isTruncated, duration_ms: ms } = statement;
  return (
    <p className="text-small text-ink-muted tabular-nums">
      {isTruncated ? texts.firstRows(rows.length) : texts.rows(rows.length)}
      {' · '}
      {texts.milliseconds(formatMs(ms, language))}
    </p>
  );
}

function CommandResult({ statement }: { statement: StatementResult }) {
  const texts = useTexts(sqlResultTexts);
  const language = useLanguage();
  const { command, row_count: count, duration_ms: ms } = statement;
  const hasCount = /^(?:INSERT|UPDATE|DELETE|MERGE|COPY)$/.test(command) && count !== null;
  return (
    <p className="card px-4 py-3 text-body">
      <span className="font-mono">{command}</span> · {hasCount ? texts.changedRows(count) : texts.done} ·{' '}
      {texts.milliseconds(formatMs(ms, language))}
    </p>
  );
}

function Exports({ statement, exportPath }: { statement: StatementResult; exportPath: string }) {
  const texts = useTexts(sqlResultTexts);
  const path = usePath();
  const { add } = useToast();
  const { columns, rows, command } = statement;
  const csv = () => toCsv(columns ?? [], rows);
  const copy = () =>
    navigator.clipboard.writeText(csv()).then(
      () => add({ kind: 'success', title: texts.grid.copied }),
      () => add({ kind: 'error', title: texts.grid.copyFailed }),
    );
  return (
    <>
      <Button type="button" size="small" onClick={() => void copy()}>
        {texts.export.copy}
      </Button>
      <Button type="button" size="small" onClick={() => download(csv(), 'rows.csv')}>
        {texts.export.shown}
      </Button>
      {IS_QUERY.test(command) && (
        <a href={path(exportPath)} download="rows.csv" className={buttonClass({ size: 'small' })}>
          {texts.export.all}
        </a>
      )}
    </>
  );
}

function lastWithRows(results: readonly StatementResult[]): number {
  const index = results.findLastIndex(({ columns }) => columns !== null);
  return index < 0 ? results.length - 1 : index;
}
