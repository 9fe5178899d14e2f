/** A page of lines of the log as JSON, for the list of the browser. */
import { readLines } from '../features/admin/logs/logs.server.ts';
import type { Route } from './+types/admin-logs-lines';

export function loader(args: Route.LoaderArgs) {
  return readLines(args);
}
