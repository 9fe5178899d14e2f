/** The mailbox of the admin area. Always dark; the server decides which users see which content. */
import { useLocation } from 'react-router';
import { changeDeliveries, loadDeliveries } from '../features/admin/mailbox/deliveries/deliveries.server.ts';
import { Deliveries } from '../features/admin/mailbox/deliveries/deliveries.tsx';
import { readDeliverySelection } from '../features/admin/mailbox/deliveries/selection.ts';
import { changeMailbox, loadMailbox } from '../features/admin/mailbox/mailbox.server.ts';
import { Mailbox } from '../features/admin/mailbox/mailbox.tsx';
import { readSelection } from '../features/admin/mailbox/selection.ts';
import { changeTemplates, loadTemplates } from '../features/admin/mailbox/templates/templates.server.ts';
import { Templates } from '../features/admin/mailbox/templates/templates.tsx';
import { readView } from '../features/admin/mailbox/view-names.ts';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { mailboxTexts } from '../texts/mailbox.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-mailbox';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  const view = readView(args.url.searchParams);
  if (view === 'templates') return loadTemplates(args);
  return view === 'deliveries' ? loadDeliveries(args) : loadMailbox(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-mailbox');

export function action(args: Route.ActionArgs) {
  const view = readView(args.url.searchParams);
  if (view === 'templates') return changeTemplates(args);
  return view === 'deliveries' ? changeDeliveries(args) : changeMailbox(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = mailboxTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminMailbox({ loaderData, actionData }: Route.ComponentProps) {
  const search = new URLSearchParams(useLocation().search);
  const selection = readSelection(search);
  const deliveries = readDeliverySelection(search);
  const result =
    actionData?.kind === 'template-failed' || actionData?.kind === 'template-sent' ? actionData : undefined;
  const shown = actionData?.kind === 'refused' ? actionData : loaderData;
  return (
    <TooltipProvider>
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
      {shown.kind === 'mailbox' && selection && (
        <Mailbox
          view={shown}
          selection={selection}
          notice={search.get('notice')}
          hasFailed={actionData?.kind === 'not-deleted'}
        />
      )}
      {(shown.kind === 'templates' || shown.kind === 'templates-unavailable') && (
        <Templates view={shown} result={result} />
      )}
      {shown.kind === 'deliveries' && deliveries && (
        <Deliveries
          view={shown}
          selection={deliveries}
          failure={actionData?.kind === 'delivery-failed' ? actionData.reason : undefined}
        />
      )}
    </TooltipProvider>
  );
}
