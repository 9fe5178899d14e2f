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
} from 'greenroom/app';
import { data, Form, redirect } from 'react-router';
import { problemOf, skippedProblem } from '../features/problem.ts';
import { isManager } from '../features/teams/roles.ts';
import { requireTeam } from '../features/teams/team.server.ts';
import { usePending } from '../features/use-pending.ts';

/** Loads the team, for owners and admins only. */
export async function loader({ context, params }: LoaderArgs) {
  const { team } = await requireTeam({ context, params });
  if (!isManager(team.role)) throw data(null, { status: 404 });
  return { team };
}

/** Renames or deletes the team: the button of a form decides. */
export async function action({ context, params, request }: ActionArgs) {
  const { client, team } = await requireTeam({ context, params });
  const form = await request.formData();
  if (form.get('intent') === 'delete') {
    if (form.get('confirmation') !== team.slug) return refuse('delete', `Type ${team.slug} to confirm.`);
    const { data: rows, error } = await client.from('teams').delete().eq('id', team.id).select('id');
    const problem = problemOf(error);
    if (problem !== undefined) return refuse('delete', problem);
    if (rows?.length === 0)
      return refuse('delete', 'Only an owner can delete a team, after canceling its plan.');
    return redirect('/teams');
  }
  const slug = String(form.get('slug')).trim();
  const renamed = await client
    .from('teams')
    .update({ name: String(form.get('name')).trim(), slug })
    .eq('id', team.id)
    .select('id');
  const problem = problemOf(renamed.error) ?? skippedProblem(renamed.data);
  if (problem !== undefined) return refuse('rename', problem);
  return slug === team.slug ? { intent: 'saved', problem: undefined } : redirect(`/teams/${slug}/settings`);
}

function refuse(intent: 'rename' | 'delete', problem: string) {
  return data({ intent, problem }, { status: 422 });
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Settings', description: 'The settings of a team.', isPrivate: true, matches });
}

export default function Settings({
  loaderData: { team },
  actionData,
}: PageProps<typeof loader, typeof action>) {
  const problemIn = (intent: string) => (actionData?.intent === intent ? actionData.problem : undefined);
  return (
    <>
      <Card title="Name and address">
        <Form method="post" className="grid gap-5 p-5">
          {actionData?.intent === 'saved' && <Alert kind="success">The team is saved.</Alert>}
          {problemIn('rename') && <Alert kind="error">{problemIn('rename')}</Alert>}
          <Field label="Name" name="name" required maxLength={60} defaultValue={team.name} />
          <Field
            label="Address"
            name="slug"
            required
            maxLength={40}
            defaultValue={team.slug}
            hint={`The pages of the team: /teams/${team.slug}. Links to the former address stop working.`}
          />
          <Button
            type="submit"
            name="intent"
            value="rename"
            variant="primary"
            className="justify-self-start"
            isPending={usePending('rename')}
          >
            Save team
          </Button>
        </Form>
      </Card>
      {team.role === 'owner' && (
        <Card title="Delete team" description="Its projects, members and invitations are lost.">
          <Form method="post" className="grid gap-5 p-5">
            <Field
              label={`Type ${team.slug} to confirm`}
              name="confirmation"
              required
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={problemIn('delete')}
            />
            <Button
              type="submit"
              name="intent"
              value="delete"
              variant="danger"
              className="justify-self-start"
              isPending={usePending('delete')}
            >
              Delete team
            </Button>
          </Form>
        </Card>
      )}
    </>
  );
}
