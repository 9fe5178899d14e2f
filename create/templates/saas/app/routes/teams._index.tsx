import {
  Avatar,
  Badge,
  ButtonLink,
  EmptyState,
  Icon,
  type LoaderArgs,
  type MetaArgs,
  Page,
  PageHeader,
  type PageProps,
  pageMeta,
} from 'greenroom/app';
import { Link } from 'react-router';
import { ROLE_NAMES } from '../features/teams/roles.ts';
import { loadTeams } from '../features/teams/team.server.ts';

/** Loads the teams of the user. */
export async function loader({ context }: LoaderArgs) {
  return { teams: await loadTeams(context) };
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Teams', description: 'Your teams.', isPrivate: true, matches });
}

export default function Teams({ loaderData: { teams } }: PageProps<typeof loader>) {
  const create = (
    <ButtonLink to="/teams/new" variant="primary">
      <Icon name="lucide:plus" />
      Create a team
    </ButtonLink>
  );
  return (
    <Page>
      <PageHeader
        title="Teams"
        description="Projects, members and plans belong to a team."
        actions={teams.length > 0 && create}
      />
      {teams.length === 0 ? (
        <div className="card">
          <EmptyState
            icon="users"
            title="No team yet"
            text="Create one for your company, or open the link of an invitation."
          >
            {create}
          </EmptyState>
        </div>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {teams.map(({ id, name, slug, role }) => (
            <li key={id}>
              <Link
                to={`/teams/${slug}`}
                className="card flex items-center gap-4 p-5 transition-colors hover:bg-surface-hover"
              >
                <Avatar name={name} />
                <span className="min-w-0 grow">
                  <span className="block truncate font-semibold">{name}</span>
                  <span className="block truncate text-small text-ink-muted">{slug}</span>
                </span>
                <Badge tone={role === 'owner' ? 'primary' : 'neutral'}>{ROLE_NAMES[role]}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
