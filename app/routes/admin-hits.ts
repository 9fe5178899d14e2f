/** Users, tables and settings that the command palette finds by name. */
import { findHits } from '../features/admin/palette/hits.server.ts';
import type { Route } from './+types/admin-hits';

export function loader(args: Route.LoaderArgs) {
  return findHits(args);
}
