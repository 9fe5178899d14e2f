/** Redirects to the content of one of the visitor's files. */
import type { LoaderArgs } from 'greenroom/app';
import { openFile } from '../features/files/files.server.ts';

export function loader(args: LoaderArgs): Promise<Response> {
  return openFile(args);
}
