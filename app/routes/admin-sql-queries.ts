/** The saved queries of the SQL page. */
import { changeQueries, listQueries } from '../features/admin/sql/resources.server.ts';
import type { Route } from './+types/admin-sql-queries';

export function loader(args: Route.LoaderArgs) {
  return listQueries(args);
}

export function action(args: Route.ActionArgs) {
  return changeQueries(args);
}
