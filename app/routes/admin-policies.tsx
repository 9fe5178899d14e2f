/** The policies of the admin area. Always dark; the server decides which visitors see which content. */
import { useLocation } from 'react-router';
import { changePolicies, loadPolicies } from '../features/admin/policies/policies.server.ts';
import { Policies } from '../features/admin/policies/policies.tsx';
import { readSelection } from '../features/admin/policies/selection.ts';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { policiesTexts } from '../texts/admin-policies.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-policies';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadPolicies(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-policies');

export function action(args: Route.ActionArgs) {
  return changePolicies(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = policiesTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminPolicies({ loaderData, actionData }: Route.ComponentProps) {
  const search = new URLSearchParams(useLocation().search);
  const refused = [actionData, loaderData].find((value) => value?.kind === 'refused');
  return (
    <TooltipProvider>
      {refused?.kind === 'refused' && <AdminsOnly reason={refused.reason} />}
      {!refused && loaderData.kind !== 'refused' && (
        <Policies
          view={loaderData}
          selection={readSelection(search)}
          result={actionData && actionData.kind !== 'refused' ? actionData : undefined}
          notice={search.get('notice')}
        />
      )}
    </TooltipProvider>
  );
}
