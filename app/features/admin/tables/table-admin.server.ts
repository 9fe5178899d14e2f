/** The entrance of requests about rows: an administrator with SQL, and JSON as response. */
import type { MetaClient } from '../../../session/meta-client.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, asAdmin } from '../shared/as-admin.server.ts';

/** An administrator of a local backend. */
export interface TableAdmin extends Admin {
  meta: MetaClient;
}

const HEADERS = { 'cache-control': 'private, no-store' };

/** Returns the response of `work` to an administrator, and a refusal with status 403 or 404 to others. */
export async function asTableAdmin(
  args: VisitorArgs,
  work: (admin: TableAdmin) => Promise<Response>,
): Promise<Response> {
  const result = await asAdmin(args, async (admin) =>
    admin.meta === undefined ? notFound() : work(admin as TableAdmin),
  );
  return result instanceof Response ? result : json(result.data, 403);
}

/** Returns a response of JSON. */
export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: HEADERS });
}

/** Returns the response for a relation or row that does not exist. */
export function notFound(): Response {
  return json({ kind: 'gone' }, 404);
}
