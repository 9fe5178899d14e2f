import {
  type ActionArgs,
  Alert,
  Button,
  ButtonLink,
  type LoaderArgs,
  type MetaArgs,
  Notice,
  type PageProps,
  pageMeta,
  useUser,
} from 'greenroom/app';
import { requireUser, supabase } from 'greenroom/app/server';
import { data, Form, redirect } from 'react-router';
import type { Database } from '../../database.types.ts';
import { problemOf } from '../features/problem.ts';
import { ROLE_NAMES } from '../features/teams/roles.ts';
import { usePending } from '../features/use-pending.ts';

/** Visitors see the team and the invited address before they sign in. */
export const guard = 'public';

/** Loads the invitation, if it is open. */
export async function loader({ context, params }: LoaderArgs) {
  const token = String(params.token);
  const client = await supabase<Database>(context);
  const { data: found } = await client.rpc('find_invitation', { token }).maybeSingle().throwOnError();
  return { token, invitation: found?.is_open ? found : null };
}

/** Accepts the invitation. */
export async function action({ context, params }: ActionArgs) {
  requireUser(context);
  const client = await supabase<Database>(context);
  const { data: slug, error } = await client.rpc('accept_invitation', { token: String(params.token) });
  const problem = problemOf(error);
  return problem === undefined ? redirect(`/teams/${slug}`) : data({ problem }, { status: 422 });
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Invitation', description: 'An invitation to a team.', isPrivate: true, matches });
}

export default function Invitation({
  loaderData: { token, invitation },
  actionData,
}: PageProps<typeof loader, typeof action>) {
  const user = useUser();
  const isPending = usePending('accept');
  if (invitation === null) {
    return (
      <Notice
        icon="alert"
        isProblem
        title="This invitation is not valid"
        text="It was used or revoked, or it is older than 7 days. Ask an owner or admin of the team for a new one."
      >
        <ButtonLink to="/">Go to the start page</ButtonLink>
      </Notice>
    );
  }
  const { team_name, email, role } = invitation;
  const isInvited = user?.email.toLowerCase() === email;
  return (
    <Notice
      icon="mail"
      title={`Join ${team_name}`}
      text={
        <>
          <p>
            {email} is invited with the role {ROLE_NAMES[role]}.
          </p>
          {user && !isInvited && (
            <p className="mt-3">
              You are signed in as {user.email || 'a user without an email address'}. Sign out, and sign in
              with the invited address.
            </p>
          )}
        </>
      }
    >
      {actionData && <Alert kind="error">{actionData.problem}</Alert>}
      {user === null && (
        <ButtonLink to={`/invitations/${token}/join`} reloadDocument variant="primary">
          Sign in or create an account
        </ButtonLink>
      )}
      {isInvited && (
        <Form method="post">
          <Button type="submit" name="intent" value="accept" variant="primary" isPending={isPending}>
            Accept invitation
          </Button>
        </Form>
      )}
    </Notice>
  );
}
