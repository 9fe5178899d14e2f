/** The preview of one template, for a frame in the mailbox. It is served without the app's document around it. */
import { showPreview } from '../features/admin/mailbox/templates/templates.server.ts';
import type { Route } from './+types/admin-mailbox-preview';

export function loader(args: Route.LoaderArgs) {
  return showPreview(args);
}

export function action(args: Route.ActionArgs) {
  return showPreview(args);
}
