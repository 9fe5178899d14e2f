/** What is kept about the visitor, as a file. No page: browsers save it. */
import { exportData } from '../features/account/own-data.server.ts';
import type { Route } from './+types/account-export';

export function loader(args: Route.LoaderArgs) {
  return exportData(args);
}
