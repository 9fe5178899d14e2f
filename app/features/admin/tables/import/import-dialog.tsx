/** The import of a CSV file: choosing it, assigning its fields to columns, a preview with checks, and the progress. */

import { formatNumber } from '../../../../lib/format/number.ts';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Progress } from '../../../../ui/progress.tsx';
import { Sheet } from '../../../../ui/sheet.tsx';
import type { ImportProgress } from '../changes.ts';
import { mappedColumns } from '../csv-mapping.ts';
import { useProblemText } from '../problem-alert.tsx';
import type { TableInfo } from '../table-model.ts';
import { FileField, MappingFields, Preview } from './import-fields.tsx';
import { type ImportState, MAX_SHOWN_ERRORS, useImport } from './use-import.ts';

/** Closing the dialog stops the import, which can be continued later. */
export function ImportDialog({
  table,
  onReload,
  onClose,
}: {
  table: TableInfo;
  onReload(): void;
  onClose(): void;
}) {
  const texts = useTexts(adminTablesTexts);
  const language = useLanguage();
  const describe = useProblemText();
  const job = useImport(table);
  const { state, interrupted, errors } = job;

  function close() {
    job.stop();
    if (state.kind === 'running' || state.kind === 'ended') onReload();
    onClose();
  }

  return (
    <Sheet
      open
      title={texts.import.title(`${table.schema}.${table.name}`)}
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      footer={<Footer state={state} job={job} onClose={close} />}
    >
      <div className="grid gap-5">
        {interrupted && state.kind !== 'running' && state.kind !== 'ended' && (
          <Alert kind="info">
            <p>{texts.import.resumeText(interrupted.saved.file.name)}</p>
            <Button size="small" className="mt-2" onClick={job.forget}>
              {texts.import.forget}
            </Button>
          </Alert>
        )}
        {(state.kind === 'empty' || state.kind === 'mapping') && (
          <FileField mistake={state.kind === 'empty' ? state.mistake : undefined} onFile={job.choose} />
        )}
        {state.kind === 'mapping' && (
          <>
            {!interrupted && <MappingFields table={table} state={state} onChange={job.setState} />}
            <Preview table={table} state={state} />
            {state.problem && <Alert kind="error">{describe(state.problem)}</Alert>}
          </>
        )}
        {(state.kind === 'running' || state.kind === 'ended') && (
          <div className="grid gap-2">
            <Progress
              label={texts.import.progress}
              {...(state.kind === 'ended' && state.end.kind === 'done' && { value: 1 })}
            />
            <p role="status">
              {texts.import.counts(
                formatNumber(state.progress.inserted, language),
                formatNumber(state.progress.failed, language),
              )}
            </p>
          </div>
        )}
        {state.kind === 'ended' && <End state={state} />}
        <Errors errors={errors} />
      </div>
    </Sheet>
  );
}

function End({ state }: { state: ImportState & { kind: 'ended' } }) {
  const { import: texts, notices } = useTexts(adminTablesTexts);
  const describe = useProblemText();
  const { end } = state;
  if (end.kind === 'done') return <Alert kind="success">{texts.done}</Alert>;
  if (end.kind === 'stopped')
    return (
      <Alert kind="info" title={texts.stopped}>
        {texts.stoppedText}
      </Alert>
    );
  return (
    <Alert kind="error" title={texts.stopped}>
      {end.problem ? describe(end.problem) : notices.failed} {texts.stoppedText}
    </Alert>
  );
}

function Errors({ errors }: { errors: ImportProgress['errors'] }) {
  const { import: texts } = useTexts(adminTablesTexts);
  const language = useLanguage();
  const describe = useProblemText();
  if (errors.length === 0) return null;
  return (
    <section aria-label={texts.errors} className="grid gap-2">
      <h3 className="font-medium">{texts.errors}</h3>
      <ul className="grid gap-1 text-small">
        {errors.map(({ record, problem }) => (
          <li key={record} className="[overflow-wrap:anywhere]">
            {texts.error(formatNumber(record + 1, language), describe(problem))}
          </li>
        ))}
      </ul>
      {errors.length >= MAX_SHOWN_ERRORS && <p className="text-small text-ink-muted">{texts.moreErrors}</p>}
    </section>
  );
}

function Footer({
  state,
  job,
  onClose,
}: {
  state: ImportState;
  job: ReturnType<typeof useImport>;
  onClose(): void;
}) {
  const { import: texts } = useTexts(adminTablesTexts);
  const language = useLanguage();
  if (state.kind === 'running') return <Button onClick={job.stop}>{texts.stop}</Button>;
  const canBegin = state.kind === 'mapping' && mappedColumns(state.mapping).length > 0;
  const { interrupted } = job;
  return (
    <>
      <Button onClick={onClose}>{texts.close}</Button>
      {state.kind === 'mapping' && (
        <Button variant="primary" disabled={!canBegin} onClick={() => void job.begin(state)}>
          {interrupted ? texts.resume(formatNumber(interrupted.progress.read + 1, language)) : texts.start}
        </Button>
      )}
    </>
  );
}
