/** Begins the use of the site as a user. */
import { redirectDocument } from 'react-router';
import { isAdmin } from '../../../session/access.ts';
import { keepOwnSession } from '../../../shell/request/own-session.server.ts';
import { visitorClient } from '../../../shell/request/visitor.server.ts';
import {
  type ChangeContext,
  ChangeProblem,
  callEndpoint,
  recordChange,
  requireOther,
  unwrap,
} from './user-change.server.ts';
import { nameOf } from './user-edit.ts';

/**
 * Replaces the session of the administrator's browser by one of the user, and opens the home page. Administrators are refused:
 * their rights in the admin area must not be used in their name.
 */
export async function impersonateUser(context: ChangeContext): Promise<Response> {
  const { args, user } = context;
  requireOther(context);
  if (isAdmin(user as Parameters<typeof isAdmin>[0])) throw new ChangeProblem('otherAdmin');
  const summary = `Use the site as ${nameOf(user)}`;
  await recordChange(context, { action: 'impersonate', summary, before: null }, async () => {
    const response = await callEndpoint(args, `/admin/users/${user.id}/impersonate`, 'POST');
    const tokens = (await response.json()) as { access_token: string; refresh_token: string };
    const { auth } = await visitorClient(args);
    if (!(await keepOwnSession(args))) throw new ChangeProblem('unclear');
    unwrap(await auth.setSession(tokens));
    return null;
  });
  return redirectDocument('/');
}
