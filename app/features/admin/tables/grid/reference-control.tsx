/** The value of a foreign key, with a search for the row that it references. */
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { useProblemText } from '../problem-alert.tsx';
import { SqlRefusal } from '../sql-refusal.ts';
import type { ForeignKey } from '../table-model.ts';
import { fetchChoices } from '../tables-client.ts';
import type { ControlProps } from './control-props.ts';

const DELAY_MS = 200;

type Choices =
  | { kind: 'loading' }
  | { kind: 'found'; rows: readonly Choice[] }
  | { kind: 'problem'; text: string };

interface Choice {
  value: string;
  label: string;
}

/** The arrow keys choose a row, and Enter takes it. */
export function ReferenceControl(props: ControlProps & { foreignKey: ForeignKey }) {
  const { text, onText, label, describedBy, isFocused, foreignKey } = props;
  const { edit } = useTexts(adminTablesTexts);
  const id = useId();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(-1);
  const choices = useChoices(foreignKey, search);
  const rows = choices.kind === 'found' ? choices.rows : [];

  function take(choice: Choice | undefined) {
    if (!choice) return;
    onText(choice.value);
    setChosen(-1);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen(Math.min(Math.max(chosen + step, -1), rows.length - 1));
    }
    if (event.key === 'Enter' && chosen >= 0) {
      event.preventDefault();
      event.stopPropagation();
      take(rows[chosen]);
    }
  }

  return (
    <div className="grid gap-2">
      <input
        role="combobox"
        aria-label={label}
        aria-describedby={describedBy}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the editor of this value
        autoFocus={isFocused}
        value={text}
        placeholder={edit.choose}
        onChange={(event) => {
          onText(event.target.value);
          setSearch(event.target.value);
          setChosen(-1);
        }}
        onKeyDown={onKeyDown}
        className="control h-9 w-full px-2"
      />
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={edit.choices}
        tabIndex={-1}
        className="max-h-44 overflow-y-auto rounded-control border border-line"
      >
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={row.value}
            role="option"
            tabIndex={-1}
            id={`${id}-${index}`}
            aria-selected={row.value === text}
            onClick={() => take(row)}
            className={`cursor-pointer px-2 py-1 text-small ${index === chosen ? 'bg-hover' : 'hover:bg-hover'} ${
              row.value === text ? 'font-medium' : ''
            }`}
          >
            <span className="break-all">{row.value}</span>
            {row.label && <span className="block truncate text-ink-muted">{row.label}</span>}
          </div>
        ))}
        {choices.kind === 'problem' && <p className="p-2 text-small text-danger-ink">{choices.text}</p>}
        {choices.kind === 'found' && rows.length === 0 && (
          <p className="p-2 text-small text-ink-muted">{edit.noChoices}</p>
        )}
      </div>
    </div>
  );
}

function useChoices({ schema, table, references }: ForeignKey, search: string): Choices {
  const [choices, setChoices] = useState<Choices>({ kind: 'loading' });
  const describe = useProblemText();
  const column = references[0] ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the description only depends on the language
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      fetchChoices({ schema, table, column }, search, controller.signal).then(
        (rows) => setChoices({ kind: 'found', rows }),
        (error: unknown) => {
          if (!controller.signal.aborted && error instanceof SqlRefusal)
            setChoices({ kind: 'problem', text: describe(error.problem) });
        },
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [schema, table, column, search]);
  return choices;
}
