/** The filters of the rows: the current ones, and a form for another one. */
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { type Filter, formatFilter, isOperator, MAX_FILTERS, needsValue, operatorsOf } from './filters.ts';
import { type Selection, tablesPath } from './table-address.ts';
import { columnOf, type TableInfo } from './table-model.ts';

/** Filters are part of the URL. */
export function FilterBar({ table, selection }: { table: TableInfo; selection: Selection }) {
  const { filters: texts } = useTexts(adminTablesTexts);
  const [isAdding, setAdding] = useState(false);
  const { filters } = selection;
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <ul aria-label={texts.label} className="contents">
          {filters.map((filter, index) => (
            <li key={formatFilter(filter)} className="max-w-full">
              <FilterChip filter={filter} to={tablesPath(without(selection, index))} />
            </li>
          ))}
        </ul>
        {filters.length < MAX_FILTERS && (
          <Button size="small" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            <Icon name="lucide:list-filter" />
            {texts.add}
          </Button>
        )}
        {filters.length > 1 && (
          <ButtonLink
            size="small"
            variant="ghost"
            to={tablesPath({ ...selection, filters: [], after: undefined })}
          >
            {texts.clear}
          </ButtonLink>
        )}
      </div>
      {isAdding && <FilterForm table={table} selection={selection} />}
    </div>
  );
}

function without(selection: Selection, index: number): Selection {
  return { ...selection, after: undefined, filters: selection.filters.toSpliced(index, 1) };
}

function FilterChip({ filter, to }: { filter: Filter; to: string }) {
  const { filters: texts } = useTexts(adminTablesTexts);
  const label = [filter.column, texts.operators[filter.operator], filter.value].filter(Boolean).join(' ');
  return (
    <ButtonLink to={to} size="small" aria-label={texts.remove(label)} className="max-w-full">
      <span className="truncate">{label}</span>
      <Icon name="close" className="size-3.5" />
    </ButtonLink>
  );
}

const CONTROL = 'control h-9 min-w-0 px-2';

function FilterForm({ table, selection }: { table: TableInfo; selection: Selection }) {
  const { filters: texts } = useTexts(adminTablesTexts);
  const navigate = useNavigate();
  const [column, setColumn] = useState(table.columns[0]?.name ?? '');
  const kind = columnOf(table, column)?.kind ?? 'other';
  const operators = operatorsOf(kind);
  const [chosen, setOperator] = useState<string>(operators[0] ?? 'eq');
  const operator = isOperator(chosen) && operators.includes(chosen) ? chosen : (operators[0] ?? 'eq');
  const [value, setValue] = useState('');

  function apply(event: FormEvent) {
    event.preventDefault();
    const filter: Filter = { column, operator, value: needsValue(operator) ? value : '' };
    navigate(tablesPath({ ...selection, after: undefined, filters: [...selection.filters, filter] }));
  }

  const hint =
    operator === 'in'
      ? texts.listHint
      : operator === 'like' || operator === 'ilike'
        ? texts.patternHint
        : operator === 'has'
          ? kind === 'json'
            ? texts.jsonHint
            : texts.listHint
          : undefined;
  return (
    <form onSubmit={apply} className="flex flex-wrap items-center gap-2">
      <select
        aria-label={texts.column}
        value={column}
        onChange={(event) => setColumn(event.target.value)}
        className={CONTROL}
      >
        {table.columns.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        aria-label={texts.operator}
        value={operator}
        onChange={(event) => setOperator(event.target.value)}
        className={CONTROL}
      >
        {operators.map((each) => (
          <option key={each} value={each}>
            {texts.operators[each]}
          </option>
        ))}
      </select>
      {needsValue(operator) && (
        <input
          aria-label={texts.value}
          value={value}
          onChange={(event) => setValue(event.target.value)}
          className={`${CONTROL} flex-1 basis-40`}
        />
      )}
      <Button type="submit" variant="primary">
        {texts.apply}
      </Button>
      {hint && <p className="basis-full text-small text-ink-muted">{hint}</p>}
    </form>
  );
}
