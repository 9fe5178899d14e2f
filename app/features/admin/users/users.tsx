/** The list of users. */
import { Suspense } from 'react';
import { Await } from 'react-router';
import { adminTexts } from '../../../texts/admin.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { rangeText, type UserPage } from './user-rows.ts';
import type { UserListProblem } from './users.server.ts';
import { UsersTable } from './users-table.tsx';

type UserList = UserPage | UserListProblem;

/** `users` may be pending. */
export function Users({ users }: { users: UserList | Promise<UserList> }) {
  const texts = useTexts(adminTexts);
  return (
    <Page>
      <PageHeader title={texts.users} description={texts.usersText} />
      {users instanceof Promise ? (
        <Suspense fallback={<UsersLoading />}>
          <Await resolve={users}>{(loaded) => <Result result={loaded} />}</Await>
        </Suspense>
      ) : (
        <Result result={users} />
      )}
    </Page>
  );
}

function Result({ result }: { result: UserList }) {
  const texts = useTexts(adminTexts);
  const language = useLanguage();
  if ('problem' in result) {
    return (
      <Alert kind="error" title={texts.listFailed}>
        {result.problem}
      </Alert>
    );
  }
  if (result.rows.length === 0) return <NoUsers isPageEmpty={result.total > 0} />;
  return (
    <div className="grid gap-4">
      <UsersTable rows={result.rows} />
      <Pagination
        label={texts.pagesOfUsers}
        range={rangeText(result, language)}
        page={result.page}
        lastPage={result.lastPage}
        pathOf={(page) => `/admin/users?page=${page}`}
      />
    </div>
  );
}

function NoUsers({ isPageEmpty }: { isPageEmpty: boolean }) {
  const texts = useTexts(adminTexts);
  return (
    <div className="card">
      {isPageEmpty ? (
        <EmptyState icon="users" title={texts.emptyPage}>
          <ButtonLink to="/admin/users">{texts.toFirstPage}</ButtonLink>
        </EmptyState>
      ) : (
        <EmptyState icon="users" title={texts.noUsers} text={texts.noUsersText} />
      )}
    </div>
  );
}

function UsersLoading() {
  const { loadingUsers } = useTexts(adminTexts);
  return (
    <Loading label={loadingUsers}>
      <TableSkeleton />
    </Loading>
  );
}
