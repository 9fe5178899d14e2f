/** The commands of the editor: run, explain, cancel. */
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../../lib/format/number.ts';
import { useIsHydrated } from '../../../../lib/use-is-hydrated.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import type { RunMode, RunScope } from './run-form.ts';
import type { RunState } from './run-state.ts';

/** Props of {@link RunBar}. */
interface RunBarProps {
  state: RunState;
  hasSelection: boolean;
  onRun(scope: RunScope, mode?: RunMode): void;
  onCancel(): void;
}

const TICK_MS = 1000;

/** Without scripts, it has one button, which sends the form. */
export function RunBar({ state, hasSelection, onRun, onCancel }: RunBarProps) {
  const texts = useTexts(adminSqlTexts);
  const isHydrated = useIsHydrated();
  const primary = useRef<HTMLButtonElement>(null);
  if (!isHydrated)
    return (
      <div className="flex">
        <Button type="submit" variant="primary">
          {texts.run}
        </Button>
      </div>
    );
  const isRunning = state.kind === 'running';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        ref={primary}
        type="button"
        variant="primary"
        isPending={isRunning}
        onClick={() => onRun(hasSelection ? 'selection' : 'all')}
      >
        {hasSelection ? texts.runSelection : texts.runAll}
      </Button>
      {!hasSelection && (
        <Button type="button" disabled={isRunning} onClick={() => onRun('cursor')}>
          {texts.runStatement}
        </Button>
      )}
      <Button type="button" disabled={isRunning} onClick={() => onRun('cursor', 'explain')}>
        {texts.explain}
      </Button>
      <Button
        type="button"
        disabled={isRunning}
        title={texts.analyzeHint}
        onClick={() => onRun('cursor', 'analyze')}
      >
        {texts.analyze}
      </Button>
      {isRunning ? (
        <CancelPart state={state} onCancel={onCancel} onFocusLost={() => primary.current?.focus()} />
      ) : (
        <p className="text-caption text-ink-muted max-sm:hidden">{texts.keys}</p>
      )}
    </div>
  );
}

function CancelPart(props: {
  state: Extract<RunState, { kind: 'running' }>;
  onCancel(): void;
  /** Called if the button had the focus when the run ended. */
  onFocusLost(): void;
}) {
  const { startedAt, isCancelling } = props.state;
  const texts = useTexts(adminSqlTexts);
  const language = useLanguage();
  const seconds = useSecondsSince(startedAt);
  const hasFocus = useRef(false);
  const { onFocusLost } = props;
  const latest = useRef(onFocusLost);
  useEffect(() => {
    latest.current = onFocusLost;
  });
  useEffect(
    () => () => {
      if (hasFocus.current) latest.current();
    },
    [],
  );
  return (
    <>
      <Button
        type="button"
        isPending={isCancelling}
        onClick={props.onCancel}
        onFocus={() => {
          hasFocus.current = true;
        }}
        onBlur={(event) => {
          if (event.relatedTarget) hasFocus.current = false;
        }}
      >
        {isCancelling ? texts.cancelling : texts.cancel}
      </Button>
      <p className="text-small text-ink-muted tabular-nums">
        {texts.runningFor(formatNumber(seconds, language))}
      </p>
    </>
  );
}

function useSecondsSince(startedAt: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - startedAt) / 1000));
}
