/** All rows of a statement of the SQL page as CSV. */
import { exportRun } from '../features/admin/sql/resources.server.ts';
import type { Route } from './+types/admin-sql-export';

export function loader(args: Route.LoaderArgs) {
  return exportRun(args);
}
