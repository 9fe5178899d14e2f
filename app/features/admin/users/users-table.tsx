/** Users as a table, or as cards on a narrow screen. */
import type { ReactNode } from 'react';
import { adminTexts } from '../../../texts/admin.ts';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { BreakableText } from '../../../ui/breakable-text.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { type ListQuery, listPath } from './list-query.ts';
import { SelectAll, SelectUser } from './select-user.tsx';
import type { UserRow } from './user-rows.ts';

const HEAD =
  'border-b border-line bg-sunken px-3 py-2 text-start text-caption font-medium whitespace-nowrap text-ink-muted xl:px-4 ' +
  'first:rounded-tl-card last:rounded-tr-card';

/** The header is sticky. */
export function UsersTable({ rows, query }: { rows: readonly UserRow[]; query: ListQuery }) {
  const { users, columns } = useTexts(adminTexts);
  return (
    <table className="md:card block w-full border-separate border-spacing-0 text-body md:table md:table-fixed">
      <caption className="sr-only">{users}</caption>
      <thead className="sr-only md:not-sr-only md:sticky! md:top-14 md:z-(--layer-stuck) md:table-header-group lg:top-0">
        <tr>
          <th scope="col" className={`${HEAD} w-12`}>
            <SelectAll rows={rows} />
          </th>
          <th scope="col" className={HEAD}>
            {columns.user}
          </th>
          {[columns.role, columns.status].map((label) => (
            <th key={label} scope="col" className={`${HEAD} md:w-27 xl:w-31`}>
              {label}
            </th>
          ))}
          {[columns.created, columns.lastSignIn].map((label) => (
            <th key={label} scope="col" className={`${HEAD} md:w-27 xl:w-40`}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="grid gap-3 md:table-row-group">
        {rows.map((row) => (
          <Row key={row.id} row={row} query={query} />
        ))}
      </tbody>
    </table>
  );
}

/** Returns the name of a user in the list. */
function nameOf({ email, phone, id }: UserRow): string {
  return email || phone || id;
}

function Row({ row, query }: { row: UserRow; query: ListQuery }) {
  const texts = useTexts(adminTexts);
  const { columns } = texts;
  return (
    <tr className="group card relative grid grid-cols-2 gap-3 p-4 transition-colors md:table-row md:border-0 md:bg-transparent md:shadow-none md:[&:hover>*]:bg-hover">
      <td className="absolute end-4 top-4 md:static md:table-cell md:border-b md:border-line md:py-3 md:ps-4 md:group-last:rounded-bl-card md:group-last:border-b-0">
        <SelectUser id={row.id} name={nameOf(row)} />
      </td>
      <th
        scope="row"
        className="col-span-2 pe-8 text-start font-normal md:table-cell md:border-b md:border-line md:px-3 md:py-3 md:group-last:border-b-0 xl:px-4"
      >
        <Person row={row} query={query} />
      </th>
      <Cell label={columns.role}>{row.role ? <RoleBadge role={row.role} /> : <Dash />}</Cell>
      <Cell label={columns.status}>
        <States row={row} />
      </Cell>
      <Cell label={columns.created}>
        <LocalTime seconds={row.createdAt} />
      </Cell>
      <Cell label={columns.lastSignIn}>
        {row.lastSignInAt === null ? texts.never : <LocalTime seconds={row.lastSignInAt} />}
      </Cell>
    </tr>
  );
}

/** A long role is cut off; the page of the user shows it. */
function RoleBadge({ role }: { role: string }) {
  return (
    <Badge tone={role === 'admin' ? 'primary' : 'neutral'}>
      <span title={role} className="max-w-24 truncate md:max-w-16 xl:max-w-24">
        {role}
      </span>
    </Badge>
  );
}

function States({ row }: { row: UserRow }) {
  const { states, hasFactor } = useTexts(adminUsersTexts);
  const { isConfirmed, isBanned, isAnonymous, isDeleted } = row;
  return (
    <span className="flex flex-wrap gap-1">
      {isDeleted && <Badge>{states.deleted}</Badge>}
      {isBanned && <Badge tone="danger">{states.banned}</Badge>}
      {isAnonymous && <Badge>{states.anonymous}</Badge>}
      {!(isAnonymous || isDeleted) && (
        <Badge tone={isConfirmed ? 'neutral' : 'warning'}>
          {states[isConfirmed ? 'confirmed' : 'unconfirmed']}
        </Badge>
      )}
      {row.hasFactor && <Badge tone="info">{hasFactor}</Badge>}
    </span>
  );
}

function Person({ row, query }: { row: UserRow; query: ListQuery }) {
  const texts = useTexts(adminTexts);
  return (
    <div className="flex items-center gap-3">
      <Avatar name={row.name || row.email || row.phone} size="md" />
      <div className="min-w-0">
        <TextLink to={listPath(query, { user: row.id })}>
          <BreakableText text={row.email || row.phone || texts.noAddress} />
        </TextLink>
        {row.name && <p className="text-small [overflow-wrap:anywhere] text-ink-muted">{row.name}</p>}
        {row.email && row.phone && <p className="text-small text-ink-muted">{row.phone}</p>}
        <p className="flex items-center gap-0.5 text-ink-muted">
          <BreakableText text={row.id} className="min-w-0 font-mono text-[0.6875rem] leading-4" />
          <CopyButton text={row.id} label={texts.copyUserId} />
        </p>
      </div>
    </div>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td className="text-small max-xl:[&_time]:whitespace-normal md:table-cell md:border-b md:border-line md:px-3 md:py-3 xl:px-4 md:group-last:border-b-0 md:group-last:last:rounded-br-card">
      <span aria-hidden="true" className="mb-0.5 block text-caption text-ink-muted md:hidden">
        {label}
      </span>
      {children}
    </td>
  );
}

function Dash() {
  const { none } = useTexts(adminTexts);
  return (
    <span className="text-ink-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{none}</span>
    </span>
  );
}
