/** New lines of the log as a stream. */
import { followLines } from '../features/admin/logs/logs.server.ts';
import type { Route } from './+types/admin-logs-tail';

export function loader(args: Route.LoaderArgs) {
  return followLines(args);
}
