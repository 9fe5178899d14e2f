/** The list of users as a file in CSV. */
import { pageNotFound } from '../../../session/page-errors.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { asAdminResource, audited } from '../shared/as-admin.server.ts';
import { readListQuery } from './list-query.ts';
import { exportSql } from './list-sql.ts';

/** Streams all users that pass the filters of the URL. */
export function exportUsers(args: VisitorArgs & { url: URL }): Promise<Response> {
  return asAdminResource(args, async (admin) => {
    const { meta, actor } = admin;
    if (!meta) throw pageNotFound(pagePath(args));
    const { after, before, ...filters } = readListQuery(args.url.searchParams);
    const { text, values } = exportSql({ ...filters, after: '', before: '' }, actor.actor_id);
    const entry = { action: 'user.export', target: 'users', summary: 'Export users as CSV', after: filters };
    let body: ReadableStream<Uint8Array> | undefined;
    await audited(admin, entry, async () => {
      body = await meta.export(text, { parameters: values, signal: args.request.signal });
      return undefined;
    });
    return new Response(body ?? null, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="users.csv"',
        'cache-control': 'private, no-store',
      },
    });
  });
}
