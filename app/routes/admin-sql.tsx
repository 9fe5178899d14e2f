/** SQL on the database of the site. Always dark; the server decides which visitors see which content. */
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { loadSql, runSqlForm } from '../features/admin/sql/sql.server.ts';
import { SqlPage } from '../features/admin/sql/sql-page.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminSqlTexts } from '../texts/admin-sql.ts';
import { languageOf, useTexts } from '../texts/use-texts.ts';
import { Notice } from '../ui/notice.tsx';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-sql';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadSql(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-sql');

export function action(args: Route.ActionArgs) {
  return runSqlForm(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminSqlTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminSql({ loaderData, actionData }: Route.ComponentProps) {
  const shown = actionData ?? loaderData;
  const texts = useTexts(adminSqlTexts);
  return (
    <TooltipProvider>
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
      {shown.kind === 'hosted' && <Notice icon="info" title={texts.hostedTitle} text={texts.hostedText} />}
      {shown.kind === 'sql' && <SqlPage {...shown} />}
    </TooltipProvider>
  );
}
