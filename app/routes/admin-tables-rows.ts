/** Rows of tables for the grid of the admin area, and changes of them. This is no page. */
import { changeTable, loadRows } from '../features/admin/tables/rows.server.ts';
import type { Route } from './+types/admin-tables-rows';

export function loader(args: Route.LoaderArgs) {
  return loadRows(args);
}

export function action(args: Route.ActionArgs) {
  return changeTable(args);
}
