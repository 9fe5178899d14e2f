/** The HTML of one mail, for the frame in the mailbox. No page: nothing of the app is around it. */
import { showMail } from '../features/admin/mailbox.server.ts';
import type { Route } from './+types/admin-mailbox-mail';

export function loader(args: Route.LoaderArgs) {
  return showMail(args);
}
