/** The HTML of one email, for the frame in the mailbox. It is served without the app's document around it. */
import { showMail } from '../features/admin/mailbox/mailbox.server.ts';
import type { Route } from './+types/admin-mailbox-mail';

export function loader(args: Route.LoaderArgs) {
  return showMail(args);
}
