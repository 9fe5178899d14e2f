import {
  type ActionArgs,
  Alert,
  Button,
  Card,
  Field,
  type LoaderArgs,
  type MetaArgs,
  type PageProps,
  pageMeta,
  Select,
  TextArea,
  TextLink,
} from 'greenroom/app';
import { data, Form, redirect } from 'react-router';
import { ConfirmDialog } from '../features/confirm-dialog.tsx';
import { problemOf, skippedProblem } from '../features/problem.ts';
import { PROJECT_STATES } from '../features/teams/project-status.ts';
import { requireTeam } from '../features/teams/team.server.ts';
import { usePending } from '../features/use-pending.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Loads the project. */
export async function loader({ context, params }: LoaderArgs) {
  const { client, team } = await requireTeam({ context, params });
  const id = String(params.project);
  if (!UUID.test(id)) throw data(null, { status: 404 });
  const { data: project } = await client
    .from('projects')
    .select('id, name, description, status')
    .eq('team_id', team.id)
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  if (project === null) throw data(null, { status: 404 });
  return { slug: team.slug, project };
}

/** Changes or deletes the project: the button of a form decides. */
export async function action({ context, params, request }: ActionArgs) {
  const { client, team } = await requireTeam({ context, params });
  const form = await request.formData();
  const isDeletion = form.get('intent') === 'delete';
  const projects = client.from('projects');
  const write = isDeletion
    ? projects.delete()
    : projects.update({
        name: String(form.get('name')).trim(),
        description: String(form.get('description')).replaceAll('\r\n', '\n').trim(),
        status: String(form.get('status')),
      });
  const { data: rows, error } = await write
    .eq('team_id', team.id)
    .eq('id', String(params.project))
    .select('id');
  const problem = problemOf(error) ?? skippedProblem(rows);
  if (problem !== undefined) return data({ problem, isSaved: false }, { status: 422 });
  return isDeletion ? redirect(`/teams/${team.slug}`) : { problem: undefined, isSaved: true };
}

export function meta({ matches, loaderData }: MetaArgs<typeof loader>) {
  const title = loaderData?.project.name ?? 'Project';
  return pageMeta({ title, description: 'A project of a team.', isPrivate: true, matches });
}

export default function Project({
  loaderData: { slug, project },
  actionData,
}: PageProps<typeof loader, typeof action>) {
  return (
    <>
      <p>
        <TextLink to={`/teams/${slug}`}>All projects</TextLink>
      </p>
      <Card title={project.name}>
        <Form method="post" key={project.id} className="grid gap-5 p-5">
          {actionData?.problem && <Alert kind="error">{actionData.problem}</Alert>}
          {actionData?.isSaved && <Alert kind="success">The project is saved.</Alert>}
          <Field label="Name" name="name" required maxLength={80} defaultValue={project.name} />
          <TextArea
            label="Description"
            name="description"
            maxLength={2000}
            defaultValue={project.description}
            rows={4}
          />
          <Select label="Status" name="status" defaultValue={project.status}>
            {Object.entries(PROJECT_STATES).map(([status, { name }]) => (
              <option key={status} value={status}>
                {name}
              </option>
            ))}
          </Select>
          <div className="flex flex-wrap justify-between gap-2">
            <Button type="submit" name="intent" value="save" variant="primary" isPending={usePending('save')}>
              Save project
            </Button>
            <ConfirmDialog
              trigger={<Button type="button">Delete project</Button>}
              title={`Delete ${project.name}?`}
              text="The project and its description are lost."
              action="Delete project"
              intent="delete"
            />
          </div>
        </Form>
      </Card>
    </>
  );
}
