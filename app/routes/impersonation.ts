/** Ends the use of the site as a user. This is no page: the form is in the notice on every page. */
import { redirect } from 'react-router';
import { endImpersonation } from '../shell/impersonation/end-impersonation.server.ts';
import type { Route } from './+types/impersonation';

export function loader() {
  return redirect('/');
}

export function action(args: Route.ActionArgs) {
  return endImpersonation(args);
}
