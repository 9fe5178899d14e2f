/** The settings of the instance. Always dark; the server decides which visitors see which content. */
import { useLocation } from 'react-router';
import { readSettingsSelection } from '../features/admin/settings/sections.ts';
import { changeSettings, loadSettings } from '../features/admin/settings/settings.server.ts';
import { Settings } from '../features/admin/settings/settings.tsx';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminSettingsTexts } from '../texts/admin-settings.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-settings';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadSettings(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-settings');

export function action(args: Route.ActionArgs) {
  return changeSettings(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminSettingsTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminSettings({ loaderData, actionData }: Route.ComponentProps) {
  const selection = readSettingsSelection(new URLSearchParams(useLocation().search));
  const refused = [actionData, loaderData].find((each) => each?.kind === 'refused');
  const result = actionData?.kind === 'refused' ? undefined : actionData;
  return (
    <TooltipProvider>
      {refused?.kind === 'refused' && <AdminsOnly reason={refused.reason} />}
      {refused === undefined && loaderData.kind !== 'refused' && (
        <Settings view={loaderData} selection={selection} result={result} />
      )}
    </TooltipProvider>
  );
}
