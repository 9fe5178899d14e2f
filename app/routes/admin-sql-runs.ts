/** The history of the SQL page: lists runs, and cancels them. */
import { changeRuns, listRuns } from '../features/admin/sql/resources.server.ts';
import type { Route } from './+types/admin-sql-runs';

export function loader(args: Route.LoaderArgs) {
  return listRuns(args);
}

export function action(args: Route.ActionArgs) {
  return changeRuns(args);
}
