/** The list of users. */
import { Suspense } from 'react';
import { Await } from 'react-router';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import type { UserListProblem } from './admin.server.ts';
import { rangeText, type UserPage } from './user-rows.ts';
import { UsersTable } from './users-table.tsx';

/** `users` may still be on its way. */
export function Users({
  users,
}: {
  users: UserPage | UserListProblem | Promise<UserPage | UserListProblem>;
}) {
  return (
    <section aria-labelledby="users-title" className="grid gap-5">
      <h1 id="users-title" className="text-2xl font-semibold tracking-tighter">
        Users
      </h1>
      {users instanceof Promise ? (
        <Suspense fallback={<Loading />}>
          <Await resolve={users}>{(loaded) => <Result result={loaded} />}</Await>
        </Suspense>
      ) : (
        <Result result={users} />
      )}
    </section>
  );
}

function Result({ result }: { result: UserPage | UserListProblem }) {
  if ('problem' in result) return <Alert kind="error">{result.problem}</Alert>;
  if (result.rows.length === 0) return <Empty page={result} />;
  return (
    <>
      <UsersTable rows={result.rows} />
      <Pages page={result} />
    </>
  );
}

function Empty({ page }: { page: UserPage }) {
  const isBeyond = page.total > 0;
  return (
    <div className="card grid justify-items-center gap-4 px-6 py-14 text-center text-sm text-ink-muted">
      <p>{isBeyond ? 'There are no users on this page.' : 'Nobody has signed up yet.'}</p>
      {isBeyond && <ButtonLink to="/admin">Go to the first page</ButtonLink>}
    </div>
  );
}

function Pages({ page }: { page: UserPage }) {
  return (
    <nav aria-label="Pages of users" className="flex items-center justify-between gap-4 text-sm">
      <p className="text-ink-muted tabular-nums">{rangeText(page)}</p>
      <div className="flex gap-2">
        <PageLink label="Previous" page={page.page - 1} isThere={page.page > 1} />
        <PageLink label="Next" page={page.page + 1} isThere={page.page < page.lastPage} />
      </div>
    </nav>
  );
}

function PageLink({ label, page, isThere }: { label: string; page: number; isThere: boolean }) {
  if (!isThere) return null;
  return (
    <ButtonLink to={`/admin?page=${page}`} size="small">
      {label}
    </ButtonLink>
  );
}

function Loading() {
  return (
    <p role="status" className="card px-6 py-14 text-center text-sm text-ink-muted">
      Loading users…
    </p>
  );
}
