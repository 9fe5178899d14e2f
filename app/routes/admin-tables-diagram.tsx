/** The diagram of a schema. Always dark; the server decides which users see which content. */
import { loadDiagram } from '../features/admin/schema/diagram/diagram.server.ts';
import { Diagram } from '../features/admin/schema/diagram/diagram.tsx';
import { WithoutSchema } from '../features/admin/schema/without-schema.tsx';
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminDiagramTexts } from '../texts/admin-diagram.ts';
import { adminSchemaTexts } from '../texts/admin-schema.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-tables-diagram';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadDiagram(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-tables-diagram');

export function meta({ matches }: Route.MetaArgs) {
  const { title } = adminDiagramTexts[languageOf(matches)];
  const { metaDescription: description } = adminSchemaTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminTablesDiagram({ loaderData }: Route.ComponentProps) {
  return (
    <TooltipProvider>
      {loaderData.kind === 'diagram' && <Diagram view={loaderData} />}
      {(loaderData.kind === 'hosted' || loaderData.kind === 'unavailable') && (
        <WithoutSchema kind={loaderData.kind} />
      )}
      {loaderData.kind === 'refused' && <AdminsOnly reason={loaderData.reason} />}
    </TooltipProvider>
  );
}
