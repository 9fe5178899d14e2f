/** The admin area. Always dark; what it shows to whom is decided on the server. */
import { claimAdmin, loadAdmin } from '../admin/admin.server.ts';
import { AdminFrame } from '../admin/admin-frame.tsx';
import { AdminsOnly } from '../admin/admins-only.tsx';
import { ClaimOffer, ClaimRefused } from '../admin/claim.tsx';
import { Users } from '../admin/users.tsx';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/admin';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadAdmin(args);
}

export function action(args: Route.ActionArgs) {
  return claimAdmin(args);
}

export function meta() {
  return pageMeta('Admin', 'The admin area of Greenroom.');
}

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const shown = actionData ?? loaderData;
  return (
    <AdminFrame hasSections={shown.kind === 'users'}>
      {shown.kind === 'users' && <Users users={shown.users} />}
      {shown.kind === 'claim' && <ClaimOffer token={shown.token} />}
      {shown.kind === 'claim-refused' && <ClaimRefused />}
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
    </AdminFrame>
  );
}
