/** The log of the admin area: lines and changes. Always dark; the server decides which users see which content. */
import { useLocation } from 'react-router';
import { ChangesPage } from '../features/admin/logs/changes-page.tsx';
import { HostedBackend } from '../features/admin/logs/hosted-backend.tsx';
import { LinesPage } from '../features/admin/logs/lines-page.tsx';
import { loadLogs } from '../features/admin/logs/logs.server.ts';
import { readChangeSelection, readLineSelection } from '../features/admin/logs/selection.ts';
import { undoChange } from '../features/admin/logs/undo-change.server.ts';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminLogsTexts } from '../texts/admin-logs.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-logs';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadLogs(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-logs');

export function action(args: Route.ActionArgs) {
  return undoChange(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminLogsTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminLogs({ loaderData, actionData }: Route.ComponentProps) {
  const search = new URLSearchParams(useLocation().search);
  const shown = actionData?.kind === 'refused' ? actionData : loaderData;
  const problem = actionData?.kind === 'not-undone' ? actionData : undefined;
  return (
    <TooltipProvider>
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
      {shown.kind === 'hosted' && <HostedBackend />}
      {shown.kind === 'lines' && <LinesPage page={shown.page} selection={readLineSelection(search)} />}
      {shown.kind === 'changes' && (
        <ChangesPage page={shown.page} selection={readChangeSelection(search)} problem={problem} />
      )}
    </TooltipProvider>
  );
}
