/** The list of users as a file. */
import { exportUsers } from '../features/admin/users/export-users.server.ts';
import type { Route } from './+types/admin-users-export';

export function loader(args: Route.LoaderArgs) {
  return exportUsers(args);
}
