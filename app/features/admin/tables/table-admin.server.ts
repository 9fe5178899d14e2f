/** The entrance of requests about rows: an administrator with SQL, and JSON as response. */
import type { MetaClient } from '../../../session/meta-client.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, asAdminResource, resourceJson } from '../shared/as-admin.server.ts';

/** An administrator of a local backend. */
export interface TableAdmin extends Admin {
  meta: MetaClient;
}

/** Returns the response of `work`, and 404 if the backend is hosted elsewhere. Refuses visitors like {@link asAdminResource}. */
export function asTableAdmin(
  args: VisitorArgs,
  work: (admin: TableAdmin) => Promise<Response>,
): Promise<Response> {
  return asAdminResource(args, async (admin) =>
    admin.meta === undefined ? notFound() : work(admin as TableAdmin),
  );
}

/** Returns the response for a relation or row that does not exist. */
export function notFound(): Response {
  return resourceJson({ kind: 'gone' }, 404);
}
