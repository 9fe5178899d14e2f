import {
  type ActionArgs,
  Alert,
  Badge,
  Button,
  Card,
  EmptyState,
  Field,
  type LoaderArgs,
  LocalTime,
  type MetaArgs,
  type PageProps,
  pageMeta,
  TextLink,
} from 'greenroom/app';
import { data, Form, redirect } from 'react-router';
import { problemOf } from '../features/problem.ts';
import { PROJECT_STATES } from '../features/teams/project-status.ts';
import { requireTeam } from '../features/teams/team.server.ts';
import { usePending } from '../features/use-pending.ts';

/** Loads the projects of the team, newest first. */
export async function loader({ context, params }: LoaderArgs) {
  const { client, team } = await requireTeam({ context, params });
  const { data: projects } = await client
    .from('projects')
    .select('id, name, description, status, created_at')
    .eq('team_id', team.id)
    .order('created_at', { ascending: false })
    .throwOnError();
  return { slug: team.slug, projects };
}

/** Adds a project. */
export async function action({ context, params, request }: ActionArgs) {
  const { client, team } = await requireTeam({ context, params });
  const name = String((await request.formData()).get('name')).trim();
  const added = await client.from('projects').insert({ team_id: team.id, name }).select('id').maybeSingle();
  const problem = problemOf(added.error);
  if (problem !== undefined) return data({ problem }, { status: 422 });
  return redirect(`/teams/${team.slug}/projects/${added.data?.id}`);
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Projects', description: 'The projects of a team.', isPrivate: true, matches });
}

export default function Projects({
  loaderData: { slug, projects },
  actionData,
}: PageProps<typeof loader, typeof action>) {
  return (
    <>
      <Card title="New project">
        <Form method="post" className="grid gap-4 p-5">
          {actionData && <Alert kind="error">{actionData.problem}</Alert>}
          <div className="flex flex-wrap items-end gap-3">
            <div className="min-w-48 grow">
              <Field label="Name" name="name" required maxLength={80} />
            </div>
            <Button
              type="submit"
              name="intent"
              value="add"
              variant="primary"
              size="large"
              isPending={usePending('add')}
            >
              Add project
            </Button>
          </div>
        </Form>
      </Card>
      <Card title="Projects">
        {projects.length === 0 ? (
          <EmptyState
            icon="lucide:folder-plus"
            title="No projects yet"
            text="Add the first one above. All members of the team see it."
          />
        ) : (
          <ul className="divide-y divide-line">
            {projects.map(({ id, name, description, status, created_at }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-4">
                <div className="min-w-0 grow basis-60">
                  <TextLink to={`/teams/${slug}/projects/${id}`}>{name}</TextLink>
                  <p className="line-clamp-2 text-small text-ink-muted">{description || 'No description'}</p>
                </div>
                <Badge tone={PROJECT_STATES[status]?.tone}>{PROJECT_STATES[status]?.name}</Badge>
                <span className="text-small text-ink-muted">
                  <LocalTime seconds={Date.parse(created_at) / 1000} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}
