/** Both values of a row that was changed by two administrators. */
import { useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import type { NewValue } from '../change-sql.ts';
import type { Changes, Conflict } from './use-changes.ts';

/** Nothing is stored until the user chooses. */
export function ConflictDialog(props: {
  conflict: Conflict;
  changes: Changes;
  onConflict(conflict: Conflict | undefined): void;
}) {
  const { conflict, changes, onConflict } = props;
  const texts = useTexts(adminTablesTexts);
  const [problem, setProblem] = useState<string>();
  const { row, values, current, xmin } = conflict;

  function keep() {
    onConflict(undefined);
    void changes.refresh(row.key);
  }
  async function overwrite() {
    const result = await changes.update({ key: row.key, xmin }, values);
    if (result.kind === 'problem') return setProblem(result.problem);
    onConflict(result.kind === 'conflict' ? result.conflict : undefined);
  }
  const show = (value: NewValue | undefined) => {
    if (value === null || value === undefined) return texts.grid.null;
    return typeof value === 'object' ? texts.edit.setDefault : value || `“” ${texts.grid.empty}`;
  };

  return (
    <Dialog
      open
      title={texts.conflict.title}
      description={texts.conflict.text}
      onOpenChange={(isOpen) => {
        if (!isOpen) keep();
      }}
      footer={
        <>
          <Button onClick={() => void overwrite()}>{texts.conflict.overwrite}</Button>
          <Button variant="primary" onClick={keep}>
            {texts.conflict.keep}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {Object.keys(values).map((column) => (
          <section key={column} aria-label={column} className="grid gap-2">
            <h3 className="font-medium">{column}</h3>
            <dl className="grid gap-2">
              <Value name={texts.conflict.theirs} value={show(current[column])} />
              <Value name={texts.conflict.yours} value={show(values[column])} />
            </dl>
          </section>
        ))}
        {problem && <Alert kind="error">{problem}</Alert>}
      </div>
    </Dialog>
  );
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-small text-ink-muted">{name}</dt>
      <dd className="max-h-40 overflow-auto rounded-control bg-sunken p-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {value}
      </dd>
    </div>
  );
}
