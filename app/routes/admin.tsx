/** The admin area. Always dark; the server decides which users see which content. */
import { changeAdmin, loadAdmin } from '../features/admin/admin.server.ts';
import { AdminsOnly } from '../features/admin/admins-only.tsx';
import { ClaimOffer, ClaimRefused } from '../features/admin/claim.tsx';
import { UserFactors } from '../features/admin/user-factors.tsx';
import { Users } from '../features/admin/users.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminTexts } from '../texts/admin.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadAdmin(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin');

export function action(args: Route.ActionArgs) {
  return changeAdmin(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const shown = actionData ?? loaderData;
  return (
    <TooltipProvider>
      {shown.kind === 'users' && <Users users={shown.users} />}
      {shown.kind === 'factors' && <UserFactors user={shown.user} />}
      {shown.kind === 'claim' && <ClaimOffer token={shown.token} />}
      {shown.kind === 'claim-refused' && <ClaimRefused />}
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
    </TooltipProvider>
  );
}
