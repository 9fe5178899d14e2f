/** The mailbox of the admin area. Always dark; the server decides which users see which content. */
import { useLocation } from 'react-router';
import { changeMailbox, loadMailbox } from '../features/admin/mailbox/mailbox.server.ts';
import { Mailbox } from '../features/admin/mailbox/mailbox.tsx';
import { readSelection } from '../features/admin/mailbox/selection.ts';
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
  return loadMailbox(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-mailbox');

export function action(args: Route.ActionArgs) {
  return changeMailbox(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = mailboxTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminMailbox({ loaderData, actionData }: Route.ComponentProps) {
  const search = new URLSearchParams(useLocation().search);
  const selection = readSelection(search);
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
    </TooltipProvider>
  );
}
