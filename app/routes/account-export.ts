/** Exports the visitor's data as a file. This is no page: browsers save the response. */
import { exportData } from '../features/account/own-data.server.ts';
import type { Route } from './+types/account-export';

export function loader(args: Route.LoaderArgs) {
  return exportData(args);
}
