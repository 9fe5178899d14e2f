/** All routes. Paths of built-in pages are static; the selection within a page is in search parameters. */
import { index, type RouteConfig, route } from '@react-router/dev/routes';
import { shareRouteProblem } from './bundle/product/product-folder.ts';
import { withProductRoutes } from './bundle/product/product-routes.ts';

/** Production builds omit the pages for developers. */
const isBuild = process.env.GREENROOM_APP_BUILD !== undefined;

const own = [
  index('routes/index.tsx'),
  route('login', 'routes/login.tsx'),
  route('account', 'routes/account.tsx'),
  route('account/export', 'routes/account-export.ts'),
  route('account/picture', 'routes/account-picture.ts'),
  route('sign-out', 'routes/sign-out.tsx'),
  route('impersonation', 'routes/impersonation.ts'),
  route('oauth/consent', 'routes/oauth-consent.tsx'),
  route('confirm', 'routes/confirm.tsx'),
  route('admin', 'routes/admin.tsx'),
  route('admin/users', 'routes/admin-users.tsx'),
  route('admin/users/export', 'routes/admin-users-export.ts'),
  route('admin/users/bulk', 'routes/admin-users-bulk.ts'),
  route('admin/tables', 'routes/admin-tables.tsx'),
  route('admin/tables/rows', 'routes/admin-tables-rows.ts'),
  route('admin/tables/export', 'routes/admin-tables-export.ts'),
  route('admin/tables/structure', 'routes/admin-tables-structure.tsx'),
  route('admin/tables/diagram', 'routes/admin-tables-diagram.tsx'),
  route('admin/policies', 'routes/admin-policies.tsx'),
  route('admin/sql', 'routes/admin-sql.tsx'),
  route('admin/sql/run', 'routes/admin-sql-run.ts'),
  route('admin/sql/runs', 'routes/admin-sql-runs.ts'),
  route('admin/sql/queries', 'routes/admin-sql-queries.ts'),
  route('admin/sql/schema', 'routes/admin-sql-schema.ts'),
  route('admin/sql/export', 'routes/admin-sql-export.ts'),
  route('admin/palette/hits', 'routes/admin-hits.ts'),
  route('admin/mailbox', 'routes/admin-mailbox.tsx'),
  route('admin/mailbox/mail', 'routes/admin-mailbox-mail.ts'),
  route('admin/mailbox/preview', 'routes/admin-mailbox-preview.ts'),
  route('admin/logs', 'routes/admin-logs.tsx'),
  route('admin/logs/lines', 'routes/admin-logs-lines.ts'),
  route('admin/logs/tail', 'routes/admin-logs-tail.ts'),
  route('admin/settings', 'routes/admin-settings.tsx'),
  ...(isBuild ? [] : [route('admin/ui', 'routes/admin-ui.tsx')]),
  route('*', 'routes/not-found.tsx'),
];

/** The router would end the process of the server, so development reports mistakes of a product itself. */
function withoutProduct(problem: unknown) {
  shareRouteProblem(problem);
  return own;
}

const all = withProductRoutes(own);
export default (isBuild ? all : all.catch(withoutProduct)) satisfies RouteConfig;
