import {
  type ActionArgs,
  Alert,
  Button,
  ButtonLink,
  Card,
  Field,
  type MetaArgs,
  Page,
  PageHeader,
  type PageProps,
  pageMeta,
} from 'greenroom/app';
import { supabase } from 'greenroom/app/server';
import { useState } from 'react';
import { data, Form, redirect } from 'react-router';
import type { Database } from '../../database.types.ts';
import { problemOf } from '../features/problem.ts';
import { slugOf } from '../features/teams/slug.ts';
import { usePending } from '../features/use-pending.ts';

/** Creates a team, whose owner is the user. */
export async function action({ context, request }: ActionArgs) {
  const client = await supabase<Database>(context);
  const form = await request.formData();
  const name = String(form.get('name')).trim();
  const slug = String(form.get('slug')).trim() || slugOf(name);
  const { error } = await client.rpc('create_team', { team_name: name, team_slug: slug });
  const problem = problemOf(error);
  return problem === undefined ? redirect(`/teams/${slug}`) : data({ problem }, { status: 422 });
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Create a team', description: 'A new team.', isPrivate: true, matches });
}

export default function NewTeam({ actionData }: PageProps<undefined, typeof action>) {
  const [proposal, setProposal] = useState('');
  return (
    <Page>
      <PageHeader title="Create a team" description="You become its owner, and invite others afterwards." />
      <div className="max-w-prose">
        <Card title="Team">
          <Form method="post" className="grid gap-5 p-5">
            {actionData && <Alert kind="error">{actionData.problem}</Alert>}
            <Field
              label="Name"
              name="name"
              required
              maxLength={60}
              autoComplete="organization"
              onChange={(event) => setProposal(slugOf(event.target.value))}
            />
            <Field
              label="Address"
              name="slug"
              maxLength={40}
              // The action derives the address from the name if this field is empty.
              placeholder={proposal}
              hint={`The pages of the team: /teams/${proposal || 'acme'}. Leave it empty to use the name.`}
            />
            <div className="flex flex-wrap gap-2">
              <Button
                type="submit"
                name="intent"
                value="create"
                variant="primary"
                isPending={usePending('create')}
              >
                Create team
              </Button>
              <ButtonLink to="/teams" variant="ghost">
                Cancel
              </ButtonLink>
            </div>
          </Form>
        </Card>
      </div>
    </Page>
  );
}
