/** The structure of tables. Always dark; the server decides which users see which content. */
import { useSearchParams } from 'react-router';
import { readDone } from '../features/admin/schema/selection.ts';
import { changeStructure, loadStructure } from '../features/admin/schema/structure.server.ts';
import { Structure } from '../features/admin/schema/structure.tsx';
import { WithoutSchema } from '../features/admin/schema/without-schema.tsx';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminSchemaTexts } from '../texts/admin-schema.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-tables-structure';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadStructure(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-tables-structure');

export function action(args: Route.ActionArgs) {
  return changeStructure(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminSchemaTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminTablesStructure({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const shown = actionData ?? loaderData;
  return (
    <TooltipProvider>
      {shown.kind === 'structure' && <Structure view={shown} done={readDone(search)} />}
      {(shown.kind === 'hosted' || shown.kind === 'unavailable') && <WithoutSchema kind={shown.kind} />}
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
    </TooltipProvider>
  );
}
