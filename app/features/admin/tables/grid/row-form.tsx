/** A form for a new row, also as a copy of another one. */
import { type FormEvent, useId, useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Sheet } from '../../../../ui/sheet.tsx';
import type { NewValues } from '../change-sql.ts';
import { type DraftValue, draftOf, mistakeOf, newDraft, newValueOf } from '../draft-value.ts';
import { columnOf, type TableInfo } from '../table-model.ts';
import type { Changes } from './use-changes.ts';
import { ValueControl } from './value-control.tsx';

type Drafts = Readonly<Record<string, DraftValue>>;

/** `copied` are the whole values of the row to duplicate. */
export function RowForm(props: {
  table: TableInfo;
  copied: Readonly<Record<string, string | null>> | undefined;
  changes: Changes;
  onClose(): void;
}) {
  const { table, copied, changes, onClose } = props;
  const texts = useTexts(adminTablesTexts);
  const id = useId();
  const [drafts, setDrafts] = useState<Drafts>(() => firstDrafts(table, copied));
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const name = `${table.schema}.${table.name}`;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSaving) return;
    const found = mistakesOf(table, drafts, texts.edit.mistakes);
    setMistakes(found);
    if (Object.keys(found).length > 0) return;
    setSaving(true);
    const result = await changes.insert(valuesOf(drafts));
    setSaving(false);
    if (result.kind === 'saved') onClose();
    else if (result.kind === 'problem') setProblem(result.problem);
  }

  return (
    <Sheet
      open
      title={copied ? texts.form.duplicate(name) : texts.form.insert(name)}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      footer={
        <>
          <Button onClick={onClose}>{texts.edit.cancel}</Button>
          <Button type="submit" form={id} variant="primary" isPending={isSaving}>
            {texts.form.save}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="grid gap-5">
        {problem && <Alert kind="error">{problem}</Alert>}
        {table.columns.map((column) => (
          <div key={column.name} className="grid gap-1.5">
            <p className="text-body font-medium">
              {column.name} <span className="text-small font-normal text-ink-muted">{column.shownType}</span>
            </p>
            <ValueControl
              column={column}
              foreignKey={table.foreignKeys.find(({ columns }) => columns.includes(column.name))}
              draft={drafts[column.name] ?? newDraft(column)}
              onChange={(draft) => setDrafts({ ...drafts, [column.name]: draft })}
              label={column.name}
              mistake={mistakes[column.name]}
              mistakeId={`${id}-${column.name}`}
            />
          </div>
        ))}
      </form>
    </Sheet>
  );
}

/** A copy gets a new key where the key has a default. */
function firstDrafts(table: TableInfo, copied: Readonly<Record<string, string | null>> | undefined): Drafts {
  return Object.fromEntries(
    table.columns.map((column) => {
      const isNew = copied === undefined || column.isGenerated;
      const hasNewKey = table.key.includes(column.name) && column.default !== null;
      return [column.name, isNew || hasNewKey ? newDraft(column) : draftOf(copied[column.name] ?? null)];
    }),
  );
}

function valuesOf(drafts: Drafts): NewValues {
  const values = Object.entries(drafts).filter(([, { mode }]) => mode !== 'default');
  return Object.fromEntries(values.map(([name, draft]) => [name, newValueOf(draft)]));
}

type MistakeTexts = Readonly<Record<NonNullable<ReturnType<typeof mistakeOf>>, string>>;

function mistakesOf(table: TableInfo, drafts: Drafts, texts: MistakeTexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(drafts).flatMap(([name, { mode, text }]) => {
      const column = columnOf(table, name);
      const mistake = column && mode === 'value' ? mistakeOf(column, text) : undefined;
      return mistake ? [[name, texts[mistake]]] : [];
    }),
  );
}
