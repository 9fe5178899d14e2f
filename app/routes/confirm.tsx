/** The callback page: links in mails and other services lead back to it. It shows itself only where something failed. */
import { confirm } from '../confirm/confirm.server.ts';
import { ConfirmResult } from '../confirm/confirm-result.tsx';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/confirm';

export function loader(args: Route.LoaderArgs) {
  return confirm(args);
}

export function meta() {
  return pageMeta('Confirm', 'Finishes signing in to Greenroom.');
}

export default function Confirm({ loaderData }: Route.ComponentProps) {
  return <ConfirmResult problem={loaderData.problem} />;
}
