/** Exports the rows of a table as a file. This is no page: browsers save the response. */
import { exportTable } from '../features/admin/tables/rows.server.ts';
import type { Route } from './+types/admin-tables-export';

export function loader(args: Route.LoaderArgs) {
  return exportTable(args);
}
