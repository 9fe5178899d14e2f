/** The overview of the admin area, and the link of the first administrator. Always dark; the server decides which users see which content. */

import { claimAdmin, claimTokenOf, loadClaim } from '../features/admin/claim/claim.server.ts';
import { ClaimOffer, ClaimRefused } from '../features/admin/claim/claim.tsx';
import { loadOverview } from '../features/admin/overview/overview.server.ts';
import { OverviewPage } from '../features/admin/overview/overview.tsx';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
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
  const token = claimTokenOf(args.url);
  return token === undefined ? loadOverview(args) : loadClaim(args, token);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin');

export function action(args: Route.ActionArgs) {
  return claimAdmin(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const shown = actionData ?? loaderData;
  return (
    <TooltipProvider>
      {shown.kind === 'overview' && <OverviewPage overview={shown} />}
      {shown.kind === 'claim' && <ClaimOffer token={shown.token} />}
      {shown.kind === 'claim-refused' && <ClaimRefused />}
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
    </TooltipProvider>
  );
}
