/** One run of the SQL page: starts it, and returns its state. */
import { runSql, showRun } from '../features/admin/sql/resources.server.ts';
import type { Route } from './+types/admin-sql-run';

export function loader(args: Route.LoaderArgs) {
  return showRun(args);
}

export function action(args: Route.ActionArgs) {
  return runSql(args);
}
