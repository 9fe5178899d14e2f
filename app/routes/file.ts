/** Redirects to the content of one of the visitor's files. */
import { openFile } from '../features/files/files.server.ts';
import type { Route } from './+types/file';

export function loader(args: Route.LoaderArgs) {
  return openFile(args);
}
