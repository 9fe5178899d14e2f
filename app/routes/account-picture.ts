/** Changes the picture of the visitor. */
import { changePicture } from '../features/avatar/picture.server.ts';
import { pageNotFound } from '../session/page-errors.ts';
import { pagePath } from '../shell/request/visitor.server.ts';
import type { Route } from './+types/account-picture';

/** The route has no page. */
export function loader(args: Route.LoaderArgs): never {
  throw pageNotFound(pagePath(args));
}

export function action(args: Route.ActionArgs) {
  return changePicture(args);
}
