/** A section of the structure: the objects of a kind, with their actions. */
import type { ReactNode } from 'react';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';

/** An action on a section or an object. */
export interface ObjectAction {
  to: string;
  label: string;
  /** Accessible name, which contains the object. */
  name?: string;
}

/** A card with a list; `children` are its entries. */
export function ObjectList(props: {
  title: string;
  actions?: readonly ObjectAction[];
  empty: string;
  isEmpty: boolean;
  children: ReactNode;
}) {
  const { title, actions = [], empty, isEmpty, children } = props;
  return (
    <Card title={title} actions={<Actions actions={actions} />}>
      {isEmpty ? (
        <p className="px-5 py-4 text-body text-ink-muted">{empty}</p>
      ) : (
        <ul className="grid divide-y divide-line">{children}</ul>
      )}
    </Card>
  );
}

/** An object: its name, its states and its definition. */
export function ObjectEntry(props: {
  name: ReactNode;
  states?: ReactNode;
  definition?: string | null | undefined;
  note?: string | null | undefined;
  actions?: readonly ObjectAction[];
}) {
  const { name, states, definition, note, actions = [] } = props;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 text-body">
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
          {states}
        </p>
        {definition && (
          <code className="block font-mono text-small text-ink-muted [overflow-wrap:anywhere]">
            {definition}
          </code>
        )}
        {note && <p className="text-small text-ink-muted [overflow-wrap:anywhere]">{note}</p>}
      </div>
      <Actions actions={actions} />
    </li>
  );
}

function Actions({ actions }: { actions: readonly ObjectAction[] }) {
  if (actions.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map(({ to, label, name }) => (
        <ButtonLink key={to} to={to} size="small" aria-label={name} preventScrollReset={false}>
          {label}
        </ButtonLink>
      ))}
    </div>
  );
}
