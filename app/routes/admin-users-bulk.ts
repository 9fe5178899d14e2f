/** Changes of several users at once. This is no page: scripts send the users in groups. */
import { changeSelectedUsers, refuseReading } from '../features/admin/users/bulk-changes.server.ts';
import type { Route } from './+types/admin-users-bulk';

export function loader(args: Route.LoaderArgs) {
  return refuseReading(args);
}

export function action(args: Route.ActionArgs) {
  return changeSelectedUsers(args);
}
