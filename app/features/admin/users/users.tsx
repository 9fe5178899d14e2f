/** The list of users: search, filters, selection and pages. */
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import { withBase } from '../../../lib/page/base-path.ts';
import { usePage } from '../../../lib/page/page-context.tsx';
import { Resolved } from '../../../lib/resolved.tsx';
import { adminTexts } from '../../../texts/admin.ts';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ButtonLink, buttonClass } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { isFiltered, type ListQuery, listPath, readListQuery, USERS, withoutPosition } from './list-query.ts';
import { NewUser } from './new-user.tsx';
import { Notice } from './notice.tsx';
import { rangeText, type UserList } from './user-rows.ts';
import { UserSearch } from './user-search.tsx';
import type { UsersOutcome } from './users.server.ts';
import { UsersTable } from './users-table.tsx';

/** `users` may be pending. */
export function Users(props: { users: MaybePromise<UserList>; outcome: UsersOutcome | undefined }) {
  const { users, outcome } = props;
  const texts = useTexts(adminUsersTexts);
  const query = readListQuery(new URLSearchParams(useLocation().search));
  return (
    <Page>
      <PageHeader
        title={texts.title}
        description={<About users={users} />}
        actions={<Actions query={query} />}
      />
      <Notice />
      <NewUser outcome={outcome} />
      <UserSearch query={query} />
      <BulkBar />
      <Resolved data={users} fallback={<UsersLoading />}>
        {(list) => <Result list={list} query={query} />}
      </Resolved>
    </Page>
  );
}

function About({ users }: { users: MaybePromise<UserList> }) {
  const { usersText } = useTexts(adminTexts);
  return (
    <Resolved data={users} fallback={usersText}>
      {(list) => <AboutText list={list} />}
    </Resolved>
  );
}

function AboutText({ list }: { list: UserList }) {
  const texts = useTexts(adminUsersTexts);
  const { usersText } = useTexts(adminTexts);
  const language = useLanguage();
  if (list.kind === 'numbered') return texts.hosted;
  const hasEstimate = list.kind === 'keyset' && list.estimate > 0;
  return hasEstimate ? texts.about(formatNumber(list.estimate, language)) : usersText;
}

function Actions({ query }: { query: ListQuery }) {
  const texts = useTexts(adminUsersTexts);
  const { baseURL } = usePage().config;
  const filters = listPath(withoutPosition(query)).slice(USERS.length);
  return (
    <>
      {/* A plain link, because the response is a file. */}
      <a href={withBase(`${USERS}/export${filters}`, baseURL)} className={buttonClass({})}>
        {texts.export}
      </a>
      <ButtonLink to={listPath(query, { ask: 'invite' })} preventScrollReset>
        {texts.invite}
      </ButtonLink>
      <ButtonLink to={listPath(query, { ask: 'create' })} preventScrollReset variant="primary">
        {texts.create}
      </ButtonLink>
    </>
  );
}

function Result({ list, query }: { list: UserList; query: ListQuery }) {
  const texts = useTexts(adminTexts);
  const language = useLanguage();
  if (list.kind === 'problem') {
    return (
      <Alert kind="error" title={texts.listFailed}>
        {list.problem}
      </Alert>
    );
  }
  if (list.kind === 'keyset') return <KeysetPage list={list} query={query} />;
  if (list.rows.length === 0) return <NoUsers isPageEmpty={list.total > 0} />;
  return (
    <div className="grid gap-4">
      <UsersTable rows={list.rows} query={query} />
      <Pagination
        label={texts.pagesOfUsers}
        range={rangeText(list, language)}
        page={list.page}
        lastPage={list.lastPage}
        pathOf={(page) => `${USERS}?page=${page}`}
      />
    </div>
  );
}

type Keyset = Extract<UserList, { kind: 'keyset' }>;

function KeysetPage({ list, query }: { list: Keyset; query: ListQuery }) {
  const texts = useTexts(adminUsersTexts);
  const { pagesOfUsers } = useTexts(adminTexts);
  const { rows, previous, next, continued } = list;
  if (rows.length === 0 && continued !== '') return <SearchingOn list={list} query={query} />;
  if (rows.length === 0) {
    const isList = !isFiltered(query) && query.after === '' && query.before === '';
    return isList ? <NoUsers isPageEmpty={false} /> : <NoMatches />;
  }
  const pathTo = (position: Partial<ListQuery>) => listPath({ ...withoutPosition(query), ...position });
  return (
    <div className="grid gap-4">
      <UsersTable rows={rows} query={query} />
      {continued !== '' && <p className="text-small text-ink-muted">{texts.incomplete}</p>}
      <nav aria-label={pagesOfUsers} className="flex flex-wrap items-center justify-end gap-2">
        {previous !== '' && <PageLink to={pathTo({})} label={texts.firstPage} />}
        {previous !== '' && <PageLink to={pathTo({ before: previous })} kind="previous" />}
        {next !== '' && <PageLink to={pathTo({ after: next })} kind="next" />}
        {continued !== '' && <PageLink to={pathTo(positionOf(list))} label={texts.searchOn} />}
      </nav>
    </div>
  );
}

function PageLink({ to, kind, label }: { to: string; kind?: 'previous' | 'next'; label?: string }) {
  const { pages } = useTexts(adminUsersTexts);
  return (
    <ButtonLink to={to} size="small">
      {label ?? (kind && pages[kind])}
    </ButtonLink>
  );
}

function positionOf({ continued, isReversed }: Keyset): Partial<ListQuery> {
  return isReversed ? { before: continued } : { after: continued };
}

/** Continues the search by itself until it finds a user; without scripts, a link continues it. */
function SearchingOn({ list, query }: { list: Keyset; query: ListQuery }) {
  const texts = useTexts(adminUsersTexts);
  const navigate = useNavigate();
  const path = listPath({ ...withoutPosition(query), ...positionOf(list) });
  useEffect(() => {
    void navigate(path, { replace: true, preventScrollReset: true });
  }, [navigate, path]);
  return (
    <div className="grid gap-4">
      <p role="status" className="text-body text-ink-muted">
        {texts.searching}
      </p>
      <TableSkeleton />
      <noscript>
        <ButtonLink to={path}>{texts.searchOn}</ButtonLink>
      </noscript>
    </div>
  );
}

function NoMatches() {
  const texts = useTexts(adminUsersTexts);
  return (
    <div className="card">
      <EmptyState icon="users" title={texts.noMatches} text={texts.noMatchesText}>
        <ButtonLink to={USERS}>{texts.search.reset}</ButtonLink>
      </EmptyState>
    </div>
  );
}

function NoUsers({ isPageEmpty }: { isPageEmpty: boolean }) {
  const texts = useTexts(adminTexts);
  return (
    <div className="card">
      {isPageEmpty ? (
        <EmptyState icon="users" title={texts.emptyPage}>
          <ButtonLink to={USERS}>{texts.toFirstPage}</ButtonLink>
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
