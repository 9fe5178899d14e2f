/** The editor of one value, over its cell. */
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { type DraftValue, draftOf, mistakeOf, newValueOf } from '../draft-value.ts';
import type { GridRow } from '../grid-rows.ts';
import { useProblemText } from '../problem-alert.tsx';
import { SqlRefusal } from '../sql-refusal.ts';
import type { TableColumn, TableInfo } from '../table-model.ts';
import { fetchValue } from '../tables-client.ts';
import type { SaveResult } from './use-changes.ts';
import { isFinish, ValueControl } from './value-control.tsx';

interface CellEditorProps {
  table: TableInfo;
  column: TableColumn;
  row: GridRow;
  value: string | null;
  /** Whether the grid has only the beginning of the value. */
  isCut: boolean;
  isReadOnly: boolean;
  place: { left: number; top: number; width: number; transform: string };
  save(draft: ReturnType<typeof newValueOf>, xmin: string): Promise<SaveResult>;
  /** Closes the editor. `step` moves to the next or previous cell. */
  onClose(step?: 1 | -1): void;
}

/** Enter saves, Tab saves and moves on, Escape discards. */
export function CellEditor(props: CellEditorProps) {
  const { table, column, row, isReadOnly, place, save, onClose } = props;
  const { edit } = useTexts(adminTablesTexts);
  const mistakeId = useId();
  const whole = useWholeValue(props);
  const [draft, setDraft] = useState<DraftValue>();
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const shown = draft ?? draftOf(whole.value);

  async function submit(step?: 1 | -1) {
    if (isSaving || whole.isLoading) return;
    const isUnchanged = draft === undefined || isSame(draft, whole.value);
    if (isReadOnly || whole.problem || isUnchanged) return onClose(step);
    const mistake = draft.mode === 'value' ? mistakeOf(column, draft.text) : undefined;
    if (mistake) return setProblem(edit.mistakes[mistake]);
    setSaving(true);
    const result = await save(newValueOf(draft), whole.xmin);
    setSaving(false);
    if (result.kind === 'problem') setProblem(result.problem);
    else onClose(result.kind === 'saved' ? step : undefined);
  }
  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else if (isFinish(event)) void submit();
    else if (event.key === 'Tab' && isControl(event.target)) void submit(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  return (
    <div
      role="dialog"
      aria-label={edit.label(column.name)}
      onKeyDown={onKeyDown}
      className="floating absolute z-3 grid gap-3 rounded-card p-3"
      style={place}
    >
      {whole.isLoading ? (
        <p className="text-small text-ink-muted">{edit.whole}</p>
      ) : (
        <>
          <ValueControl
            column={isReadOnly ? { ...column, isGenerated: false } : column}
            foreignKey={table.foreignKeys.find(({ columns }) => columns.includes(column.name))}
            draft={shown}
            onChange={(next) => {
              setDraft(next);
              setProblem(undefined);
            }}
            label={edit.label(column.name)}
            mistake={whole.problem ?? problem}
            mistakeId={mistakeId}
            isFocused
          />
          <div className="flex flex-wrap justify-end gap-2">
            <Button size="small" variant="ghost" onClick={() => onClose()}>
              {isReadOnly ? edit.close : edit.cancel}
            </Button>
            {!isReadOnly && (
              <Button size="small" variant="primary" isPending={isSaving} onClick={() => void submit()}>
                {edit.save}
              </Button>
            )}
          </div>
        </>
      )}
      <FocusOnOpen id={row.key.join()} />
    </div>
  );
}

/** A choice of null has no field to focus: the editor's first radio button gets the focus. */
function FocusOnOpen({ id }: { id: string }) {
  const [element, setElement] = useState<HTMLSpanElement | null>(null);
  useEffect(() => {
    const panel = element?.parentElement;
    if (!panel || panel.contains(document.activeElement)) return;
    panel.querySelector<HTMLElement>('input:checked, input, textarea, select, button')?.focus();
  }, [element]);
  return <span ref={setElement} data-editor={id} hidden />;
}

function isControl(target: EventTarget | FocusEvent): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== 'radio')
  );
}

/** An unchanged value is not saved. Booleans have two forms. */
function isSame({ mode, text }: DraftValue, value: string | null): boolean {
  return mode === 'null' ? value === null : mode === 'value' && text === value;
}

interface WholeValue {
  isLoading: boolean;
  value: string | null;
  xmin: string;
  problem: string | undefined;
}

/** Loads the value if the grid has only its beginning. */
function useWholeValue({ table, column, row, value, isCut }: CellEditorProps): WholeValue {
  const describe = useProblemText();
  const { notices } = useTexts(adminTablesTexts);
  const [whole, setWhole] = useState<WholeValue>({
    isLoading: isCut,
    value,
    xmin: row.xmin,
    problem: undefined,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor stays with its value
  useEffect(() => {
    if (!isCut) return;
    fetchValue({ schema: table.schema, table: table.name }, row.key, column.name).then(
      (found) =>
        setWhole({
          isLoading: false,
          value: found?.value ?? null,
          xmin: found?.xmin ?? row.xmin,
          problem: found ? undefined : notices.gone,
        }),
      (error: unknown) => {
        if (error instanceof SqlRefusal)
          setWhole({ isLoading: false, value, xmin: row.xmin, problem: describe(error.problem) });
      },
    );
  }, []);
  return whole;
}
