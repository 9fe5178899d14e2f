/** Names of the database, for completion on the SQL page. */
import { showSchema } from '../features/admin/sql/resources.server.ts';
import type { Route } from './+types/admin-sql-schema';

export function loader(args: Route.LoaderArgs) {
  return showSchema(args);
}
