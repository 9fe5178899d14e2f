/** The rows of tables and views. Always dark; the server decides which visitors see which content. */
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { loadTables } from '../features/admin/tables/tables.server.ts';
import { Tables } from '../features/admin/tables/tables.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminTablesTexts } from '../texts/admin-tables.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-tables';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadTables(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-tables');

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminTablesTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminTables({ loaderData: shown }: Route.ComponentProps) {
  return (
    <TooltipProvider>
      {shown.kind === 'refused' ? <AdminsOnly reason={shown.reason} /> : <Tables view={shown} />}
    </TooltipProvider>
  );
}
