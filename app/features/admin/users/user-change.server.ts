/** A change of one user: its context, its entry in the audit log, and its problems. */
import type { SupabaseClient, User } from '@supabase/supabase-js';
import { isBackendFailure } from '../../../session/backend-failure.ts';
import { backendUnreachable, invalidRoute } from '../../../session/page-errors.ts';
import { siteContext } from '../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import type { adminUsersTexts } from '../../../texts/admin-users.ts';
import { type Admin, audited } from '../shared/as-admin.server.ts';
import { auditTarget, type FieldConflict, snapshotOf } from './user-edit.ts';

/** A reason why a user cannot be changed. */
type ProblemCode = keyof (typeof adminUsersTexts)['en']['problems'];

/** The change is refused for a reason that the administrator can understand. */
export class ChangeProblem extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, detail = '') {
    super(detail);
    this.code = code;
  }
}

/** Who changes which user, and with which clients. */
export interface ChangeContext {
  args: VisitorArgs;
  admin: Admin;
  client: SupabaseClient;
  user: User;
}

/** The result of a form: a redirect, a link to copy, or the fields that another administrator has changed. */
export type ChangeResult =
  | Response
  | { kind: 'link'; link: string }
  | { kind: 'conflict'; conflicts: FieldConflict[]; updatedAt: string; based: string };

/** Returns the client with the service key. Throws a 404 if the server has none. */
export async function requireClient(args: VisitorArgs, admin: Admin): Promise<SupabaseClient> {
  const client = await admin.service();
  if (!client) throw invalidRoute(pagePath(args));
  return client;
}

/** Returns a user; undefined if there is none. Throws a 503 if the backend does not respond. */
export async function findUser(client: SupabaseClient, id: string): Promise<User | undefined> {
  const { data, error } = await client.auth.admin.getUserById(id);
  if (error && isBackendFailure(error)) throw backendUnreachable();
  return data.user ?? undefined;
}

/** The entry of a change. `before` is the state of the user, unless it says otherwise. */
interface Entry {
  /** Verb: `ban`. */
  action: string;
  /** In English. */
  summary: string;
  before?: unknown;
}

/**
 * Makes a change with an entry in the audit log. `run` returns the state after the change for the entry. Rejects like `run`.
 */
export async function recordChange(
  { admin, user }: Pick<ChangeContext, 'admin' | 'user'>,
  { action, summary, before = snapshotOf(user) }: Entry,
  run: () => Promise<unknown>,
): Promise<void> {
  const entry = { action: `user.${action}`, target: auditTarget(user.id), summary, before };
  await audited(admin, entry, async () => ({ after: await run() }));
}

/** Returns the data of a response of the official client. Throws its error. */
export function unwrap<R extends { data: unknown; error: Error | null }>({
  data,
  error,
}: R): Extract<R, { error: null }>['data'] {
  if (error) throw error;
  return data;
}

/**
 * Calls an endpoint of the auth service that the official client does not cover. Throws a {@link ChangeProblem} if the request
 * is refused, or if the backend has no such endpoint.
 */
export async function callEndpoint(
  { context }: VisitorArgs,
  path: string,
  method: 'POST' | 'DELETE',
): Promise<Response> {
  const response = await context.get(siteContext).backend.callAdmin(path, method);
  if (response?.ok) return response;
  if (response === undefined || response.status >= 500) throw backendUnreachable();
  const body = (await response.json().catch(() => ({}))) as { error_code?: string; msg?: string };
  if (body.error_code === undefined) throw new ChangeProblem('unsupported');
  throw Object.assign(new Error(body.msg ?? ''), { code: body.error_code, status: response.status });
}

/** Administrators cannot lock themselves out. Throws a {@link ChangeProblem}. */
export function requireOther({ admin, user }: Pick<ChangeContext, 'admin' | 'user'>): void {
  if (user.id === admin.actor.actor_id) throw new ChangeProblem('self');
}
