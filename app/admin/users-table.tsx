/** Users as a table, or as a card each where the screen is narrow. */
import type { ReactNode } from 'react';
import { Avatar } from '../ui/avatar.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import type { UserRow } from './user-rows.ts';

const HEAD = 'px-4 py-2.5 text-start text-xs font-medium text-ink-muted';

/** See the head of this file. */
export function UsersTable({ rows }: { rows: readonly UserRow[] }) {
  return (
    <table className="block w-full text-sm md:card md:table md:overflow-hidden">
      <caption className="sr-only">Users</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr className="md:border-b md:border-line md:bg-sunken/60">
          <th scope="col" className={HEAD}>
            User
          </th>
          <th scope="col" className={HEAD}>
            Role
          </th>
          <th scope="col" className={HEAD}>
            Status
          </th>
          <th scope="col" className={HEAD}>
            Created
          </th>
          <th scope="col" className={HEAD}>
            Last sign-in
          </th>
        </tr>
      </thead>
      <tbody className="grid gap-3 md:table-row-group">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: UserRow }) {
  return (
    <tr className="card grid grid-cols-2 gap-3 p-4 md:table-row md:rounded-none md:border-0 md:border-b md:bg-transparent md:shadow-none md:last:border-b-0">
      <th scope="row" className="col-span-2 text-start font-normal md:table-cell md:px-4 md:py-3">
        <Person row={row} />
      </th>
      <Cell label="Role">{row.role ? <Badge isAccent>{row.role}</Badge> : <Dash />}</Cell>
      <Cell label="Status">
        <Badge isAccent={false}>{row.isConfirmed ? 'Confirmed' : 'Unconfirmed'}</Badge>
      </Cell>
      <Cell label="Created">
        <LocalTime seconds={row.createdAt} />
      </Cell>
      <Cell label="Last sign-in">
        {row.lastSignInAt === null ? 'Never' : <LocalTime seconds={row.lastSignInAt} />}
      </Cell>
    </tr>
  );
}

function Person({ row }: { row: UserRow }) {
  const name = row.email || row.phone || 'No address';
  return (
    <div className="flex items-center gap-3">
      <Avatar name={row.email || row.phone} size="md" />
      <div className="min-w-0">
        <p className="font-medium break-all">{name}</p>
        {row.email && row.phone && <p className="text-ink-muted">{row.phone}</p>}
        <p className="font-mono text-[0.6875rem] leading-4 break-all text-ink-muted">{row.id}</p>
      </div>
    </div>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td className="text-[0.8125rem] md:table-cell md:px-4 md:py-3 md:whitespace-nowrap">
      <span aria-hidden="true" className="mb-0.5 block text-xs text-ink-muted md:hidden">
        {label}
      </span>
      {children}
    </td>
  );
}

function Badge({ isAccent, children }: { isAccent: boolean; children: ReactNode }) {
  const look = isAccent ? 'bg-primary-wash text-primary-ink' : 'bg-sunken text-ink-muted';
  return (
    <span className={`inline-block rounded-md px-2 py-0.5 text-xs font-medium ${look}`}>{children}</span>
  );
}

function Dash() {
  return (
    <span className="text-ink-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">None</span>
    </span>
  );
}
