/**
 * The entrances of every loader, action and stream of the admin area: they check the visitor's access, and provide the clients with
 * the rights of an administrator.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { data } from 'react-router';
import type { AuditEntry, MetaClient } from '../../../session/meta-client.server.ts';
import type { OperatorClient } from '../../../session/operator-client.server.ts';
import { checkAdminAccess } from '../../../shell/request/admin-access.server.ts';
import { sessionContext, siteContext, visitContext } from '../../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';

/** The data of a page that the visitor may not open. */
export interface RefusedView {
  kind: 'refused';
  reason: 'not-admin' | 'second-factor-needed';
}

/** The administrator of a request. */
interface Actor {
  actor_id: string;
  actor_email: string | null;
  actor_address: string | null;
  request_id: string;
}

/** Clients and identity of an administrator. */
export interface Admin {
  actor: Actor;
  /** SQL and the audit log; undefined if the backend is hosted elsewhere. */
  meta: MetaClient | undefined;
  /** The instance itself, such as its log; undefined if the backend is hosted elsewhere. */
  operator: OperatorClient | undefined;
  /** The official client with the service key; undefined if the server has none. */
  service(): Promise<SupabaseClient | undefined>;
}

/**
 * Returns the result of `work` for an administrator, and a {@link RefusedView} with status 403 for other visitors. Throws like
 * `checkAdminAccess`.
 */
export async function asAdmin<T>(args: VisitorArgs, work: (admin: Admin) => Promise<T>) {
  const access = await checkAdminAccess(args);
  if (access !== 'granted') return data<RefusedView>({ kind: 'refused', reason: access }, { status: 403 });
  return work(adminOf(args));
}

/** The body of a refused request of a route without a page. */
interface ResourceRefusal {
  code: RefusedView['reason'] | 'no-session';
  /** English. */
  message: string;
}

const REFUSAL_MESSAGES: Readonly<Record<ResourceRefusal['code'], string>> = {
  'not-admin': 'Only administrators have access to this address.',
  'second-factor-needed': 'Verify your second factor to use this address.',
  'no-session': 'Sign in to use this address.',
};

/**
 * Returns the response of `work` to an administrator of a route without a page, such as JSON, a file or a stream. Other visitors
 * receive status 403 with {@link ResourceRefusal} as JSON, unless the guard of the site redirects visitors without a session before.
 * Throws a 503 if the backend does not respond.
 */
export async function asAdminResource(
  args: VisitorArgs,
  work: (admin: Admin) => Promise<Response>,
): Promise<Response> {
  const access = await checkAccessWithoutRedirect(args);
  if (access === 'granted') return work(adminOf(args));
  const refusal: ResourceRefusal = { code: access, message: REFUSAL_MESSAGES[access] };
  return resourceJson(refusal, 403);
}

async function checkAccessWithoutRedirect(args: VisitorArgs): Promise<'granted' | ResourceRefusal['code']> {
  if (args.context.get(sessionContext) === undefined) return 'no-session';
  return checkAdminAccess(args).catch((thrown: unknown) => {
    if (thrown instanceof Response) return 'no-session';
    throw thrown;
  });
}

/** Returns JSON of a route without a page, which no cache keeps. */
export function resourceJson(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'private, no-store' } });
}

function adminOf({ context }: VisitorArgs): Admin {
  const claims = context.get(sessionContext)?.claims;
  const { requestId, clientAddress } = context.get(visitContext);
  const { backend } = context.get(siteContext);
  return {
    actor: {
      actor_id: claims?.sub ?? '',
      actor_email: claims?.email ?? null,
      actor_address: clientAddress || null,
      request_id: requestId,
    },
    meta: backend.meta,
    operator: backend.operator,
    service: () => backend.forAdministration(),
  };
}

/** A change that the audit log records. */
export type AuditedChange = Omit<AuditEntry, keyof Actor>;

/**
 * Runs a change, and records it: before it with its intent, and after it with its outcome. A change that cannot be recorded is not
 * made. `change` receives the id of the entry (empty without a log), and may return further fields of it. Rejects like `change`, and
 * with `MetaError`.
 */
export async function audited<T extends { after?: unknown; undo_sql?: string | null } | undefined>(
  { meta, actor }: Pick<Admin, 'meta' | 'actor'>,
  entry: AuditedChange,
  change: (id: string) => Promise<T>,
): Promise<T> {
  if (meta === undefined) return change('');
  const id = await meta.addAudit({ ...entry, ...actor });
  try {
    const changed = await change(id);
    const { after, undo_sql } = changed ?? {};
    await meta.completeAudit(id, {
      outcome: 'done',
      ...(after !== undefined && { after }),
      ...(undo_sql && { undo_sql }),
    });
    return changed;
  } catch (error) {
    // Without this, the entry stays “started”: its outcome is unknown.
    await meta
      .completeAudit(id, { outcome: 'failed', error: String((error as Error).message ?? error) })
      .catch(() => undefined);
    throw error;
  }
}
