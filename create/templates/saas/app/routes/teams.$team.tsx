import { Avatar, type LoaderArgs, Page, PageHeader, type PageProps, Tabs } from 'greenroom/app';
import { Outlet } from 'react-router';
import { isManager, ROLE_NAMES } from '../features/teams/roles.ts';
import { loadTeams, requireTeam } from '../features/teams/team.server.ts';
import { TeamMenu } from '../features/teams/team-menu.tsx';

/** Loads the team and those to which the user may switch. */
export async function loader({ context, params }: LoaderArgs) {
  const [{ team }, teams] = await Promise.all([requireTeam({ context, params }), loadTeams(context)]);
  return { team, teams };
}

/** The layout of all pages of a team. */
export default function TeamLayout({ loaderData: { team, teams } }: PageProps<typeof loader>) {
  const base = `/teams/${team.slug}`;
  const tabs = [
    { to: base, label: 'Projects' },
    { to: `${base}/members`, label: 'Members' },
    { to: `${base}/billing`, label: 'Billing' },
    ...(isManager(team.role) ? [{ to: `${base}/settings`, label: 'Settings' }] : []),
  ];
  return (
    <Page>
      <PageHeader
        title={team.name}
        description={`Your role: ${ROLE_NAMES[team.role]}`}
        sign={<Avatar name={team.name} size="lg" />}
        actions={<TeamMenu teams={teams} />}
      />
      <Tabs label="Pages of the team" tabs={tabs} />
      <Outlet />
    </Page>
  );
}
