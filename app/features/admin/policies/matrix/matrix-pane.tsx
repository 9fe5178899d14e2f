/** The matrix of roles, tables and statements with its filter. */
import { Form } from 'react-router';
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { filterRows, type MatrixList, type MatrixRow } from '../access/matrix.ts';
import { POLICIES, type Selection } from '../selection.ts';
import { MatrixTable, StateMark } from './matrix-table.tsx';

/** Shows the matrix, or the reason why it is missing. */
export function MatrixPane({ list, selection }: { list: MatrixList; selection: Selection }) {
  const texts = useTexts(policiesTexts);
  if (list.kind === 'problem')
    return (
      <Alert kind="error" title={texts.loadFailed}>
        {list.text}
      </Alert>
    );
  const rows = filterRows(list.rows, selection, list.platformSchemas);
  return (
    <div className="grid grid-cols-1 gap-4">
      <FilterForm selection={selection} rows={list.rows} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-small text-ink-muted">
        <p role="status">{texts.found(rows.length)}</p>
        <Legend hasViews={rows.some(({ kind }) => kind === 'view')} />
      </div>
      {rows.length === 0 ? (
        <div className="card">
          <EmptyState icon="search" title={texts.noTables} text={texts.noTablesText}>
            <ButtonLink to={`${POLICIES}?in=*`}>{texts.showAll}</ButtonLink>
          </EmptyState>
        </div>
      ) : (
        <MatrixTable rows={rows} roles={list.roles} />
      )}
    </div>
  );
}

/** A plain form, so that the result has a URL. */
function FilterForm({ selection, rows }: { selection: Selection; rows: readonly MatrixRow[] }) {
  const { filter } = useTexts(policiesTexts);
  const schemas = [...new Set(rows.map(({ schema }) => schema))];
  return (
    <Form
      key={`${selection.q} ${selection.in} ${selection.show}`}
      method="get"
      action={POLICIES}
      role="search"
      preventScrollReset
      className="grid grid-cols-1 items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto_auto_auto]"
    >
      <Field
        label={filter.q}
        name="q"
        type="search"
        defaultValue={selection.q}
        placeholder={filter.placeholder}
        autoComplete="off"
      />
      <Select label={filter.schema} name="in" defaultValue={selection.in}>
        <option value="">{filter.own}</option>
        <option value="*">{filter.every}</option>
        {schemas.map((schema) => (
          <option key={schema} value={schema}>
            {schema}
          </option>
        ))}
      </Select>
      <Select label={filter.show} name="show" defaultValue={selection.show}>
        {(['all', 'open', 'no-rls', 'no-policy'] as const).map((show) => (
          <option key={show} value={show}>
            {filter.shown[show]}
          </option>
        ))}
      </Select>
      <Button type="submit" size="large">
        {filter.submit}
      </Button>
    </Form>
  );
}

const STATES = ['all', 'policy', 'no-policy', 'no-grant', 'invoker'] as const;

/** Views that use the rights of their caller have a sign that tables do not have. */
function Legend({ hasViews }: { hasViews: boolean }) {
  const { legend, states, partial } = useTexts(policiesTexts);
  return (
    <ul aria-label={legend} className="flex flex-wrap gap-x-4 gap-y-1">
      {STATES.filter((state) => hasViews || state !== 'invoker').map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <StateMark state={state} isPartial={false} />
          <span className="inline-block first-letter:uppercase">{states[state]}</span>
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <StateMark state="all" isPartial />
        {partial}
      </li>
    </ul>
  );
}
