/** The SQL page: open queries, the editor, and the results. Without scripts, a form with a text area. */
import { useCallback, useRef, useState } from 'react';
import { Form } from 'react-router';
import { changeRefusalTexts } from '../../../texts/admin-changes.ts';
import { adminSqlTexts } from '../../../texts/admin-sql.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import type { Draft } from './drafts/drafts.ts';
import { TabStrip } from './drafts/tab-strip.tsx';
import { useDrafts } from './drafts/use-drafts.ts';
import { EditorBox } from './editor/editor-box.tsx';
import { rangeOf } from './editor/run-scope.ts';
import { useEditor } from './editor/use-editor.ts';
import { useEditorDocument } from './editor/use-editor-document.ts';
import { useErrorMark } from './editor/use-error-mark.ts';
import { useSchema } from './editor/use-schema.ts';
import { PlainResults } from './results/plain-results.tsx';
import { RunResults } from './results/run-results.tsx';
import { Options } from './run/options.tsx';
import { RunBar } from './run/run-bar.tsx';
import type { RunMode, RunScope, RunSettings } from './run/run-form.ts';
import { useRuns } from './run/use-runs.ts';
import { useSchemaVersion } from './run/use-schema-version.ts';
import { Library } from './saved/library.tsx';
import { RunningNotice } from './saved/running-notice.tsx';
import type { SqlView } from './sql-view.ts';

type View = Extract<SqlView, { kind: 'sql' }>;

/** The page. `isReadOnly` is the default of the switch. */
export function SqlPage({ userId, isReadOnly, refusal, canWriteMigrations, runId, ran }: Omit<View, 'kind'>) {
  const texts = useTexts(adminSqlTexts);
  const reasons = useTexts(changeRefusalTexts);
  const textArea = useRef<HTMLTextAreaElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [settings, setSettings] = useState<RunSettings>({
    role: 'postgres',
    claims: '',
    isReadOnly,
    writesMigration: canWriteMigrations,
    timeoutS: 30,
    maxRows: 1000,
  });
  const [hasSelection, setHasSelection] = useState(false);
  const [problem, setProblem] = useState<'empty' | undefined>();
  const runs = useRuns();

  const typed = useCallback(() => textArea.current?.value ?? '', []);
  const changedElsewhere = useRef<(draft: Draft) => void>(() => undefined);
  const drafts = useDrafts(userId, typed, (draft) => changedElsewhere.current(draft));
  const active = drafts.open?.active;
  const activeId = active?.id ?? '';
  const state = runs.stateOf(activeId);

  const onChange = (sql: string) => {
    setProblem(undefined);
    if (activeId !== '') drafts.change(activeId, { sql });
  };
  const run = (scope: RunScope, mode: RunMode = 'run') => {
    const text = document.text();
    const range = rangeOf(scope, text, document.selection());
    if (range === undefined || active === undefined) return setProblem('empty');
    setProblem(undefined);
    if (state.kind === 'running') return;
    runs.start(activeId, { sql: text.slice(range.from, range.to), offset: range.from, mode }, settings);
  };
  const cancel = () => runs.cancel(activeId);
  const editor = useEditor({
    textArea,
    host,
    isReady: active !== undefined,
    label: texts.editor,
    placeholder: texts.placeholder,
    description: texts.keys,
    onChange,
    onSelect: setHasSelection,
    onRun: () => run('cursor'),
    onRunAll: () => run('all'),
    onEscape: cancel,
  });
  const document = useEditorDocument({ editor, textArea, active, changedElsewhere });
  useSchema(editor, useSchemaVersion(state));
  useErrorMark(editor, activeId, state);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape cancels a run from every control of the page
    <div
      className="mx-auto grid w-full max-w-[100rem] grid-cols-1 content-start gap-4 px-4 py-6 sm:px-8"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && cancel()) event.preventDefault();
      }}
    >
      <PageHeader
        title={texts.title}
        description={texts.lead}
        actions={active && <Library drafts={drafts} active={active} runs={runs} text={document.text} />}
      />
      <RunningNotice drafts={drafts} runs={runs} />
      <Form
        method="post"
        className="grid min-w-0 grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run('all');
        }}
      >
        <TabStrip drafts={drafts} runs={runs} />
        <EditorBox textArea={textArea} host={host} text={ran?.sql ?? ''} onChange={onChange} />
        <input type="hidden" name="id" value={runId} />
        <RunBar state={state} hasSelection={hasSelection} onRun={run} onCancel={cancel} />
        <Options settings={settings} canWriteMigrations={canWriteMigrations} onChange={setSettings} />
        {refusal && (
          <p className="text-small text-ink-muted">
            {texts.noSchemaChanges} {reasons[refusal]}
          </p>
        )}
      </Form>
      {!drafts.isStored && <Alert kind="warning">{texts.notStored}</Alert>}
      {problem && <Alert kind="error">{texts.problems[problem]}</Alert>}
      {state.kind === 'idle' && ran ? (
        <PlainResults ran={ran} />
      ) : (
        <RunResults
          key={activeId}
          state={state}
          text={document.text}
          onGoTo={(offset) => document.goTo(offset)}
        />
      )}
    </div>
  );
}
