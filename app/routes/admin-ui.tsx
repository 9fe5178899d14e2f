/** The live catalogue of components, for developers of pages. Guarded like the rest of the admin area. */

import { loadCatalogue } from '../features/admin/catalogue/catalogue.server.ts';
import { Catalogue } from '../features/admin/catalogue/catalogue.tsx';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { catalogueTexts } from '../texts/catalogue.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-ui';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadCatalogue(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-ui');

export function meta({ matches }: Route.MetaArgs) {
  const { title, description } = catalogueTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminUi({ loaderData: { access } }: Route.ComponentProps) {
  return (
    <TooltipProvider>{access === 'granted' ? <Catalogue /> : <AdminsOnly reason={access} />}</TooltipProvider>
  );
}
