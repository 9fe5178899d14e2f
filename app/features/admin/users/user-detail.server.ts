/** One user with everything that the admin area shows about them. */
import type { User } from '@supabase/supabase-js';
import { isAdmin } from '../../../session/access.ts';
import type { AuditRecord } from '../../../session/meta-client.server.ts';
import { invalidRoute } from '../../../session/page-errors.ts';
import { siteContext } from '../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import type { Admin } from '../shared/as-admin.server.ts';
import { isUuid } from './list-query.ts';
import { findUser, requireClient } from './user-change.server.ts';
import { auditTarget, fieldsOf, nameOf, type UserFields } from './user-edit.ts';

const AUDIT_ENTRIES = 20;

/** A way to sign in. Times are seconds since 1970. */
interface DetailIdentity {
  id: string;
  provider: string;
  name: string;
  lastUsedAt: number | null;
}

interface DetailFactor {
  id: string;
  kind: string;
  name: string;
  createdAt: number | null;
}

interface DetailSession {
  id: string;
  createdAt: number | null;
  usedAt: number | null;
  aal: string;
  userAgent: string;
  address: string;
}

/** An entry of the audit log about the user. */
interface DetailChange {
  id: string;
  createdAt: number | null;
  actor: string;
  summary: string;
  outcome: AuditRecord['outcome'];
  error: string;
  /** As JSON; '' if there is none. */
  before: string;
  after: string;
}

/** The user. Times are seconds since 1970; null means never. */
export interface UserDetail {
  id: string;
  name: string;
  /** Version on which changes are based. */
  updatedAt: string;
  fields: UserFields;
  emailConfirmedAt: number | null;
  phoneConfirmedAt: number | null;
  createdAt: number | null;
  invitedAt: number | null;
  lastSignInAt: number | null;
  bannedUntil: number | null;
  isAnonymous: boolean;
  isDeleted: boolean;
  isAdmin: boolean;
  /** The administrator of the request. */
  isSelf: boolean;
  identities: DetailIdentity[];
  factors: DetailFactor[];
  /** Undefined if the backend does not list them. */
  sessions: DetailSession[] | undefined;
  changes: DetailChange[] | undefined;
}

/** Loads a user. Throws a 404 for an unknown one, and a 503 if the backend does not respond. */
export async function loadUserDetail(args: VisitorArgs, admin: Admin, id: string): Promise<UserDetail> {
  const client = await requireClient(args, admin);
  if (!isUuid(id)) throw invalidRoute(pagePath(args));
  const [user, sessions, changes] = await Promise.all([
    findUser(client, id),
    listSessions(args, id),
    admin.meta?.listAudit({ target: auditTarget(id), limit: String(AUDIT_ENTRIES) }).catch(() => undefined),
  ]);
  if (!user) throw invalidRoute(pagePath(args));
  return {
    ...detailOf(user),
    isSelf: id === admin.actor.actor_id,
    sessions,
    changes: changes?.map(changeOf),
  };
}

function detailOf(user: User): Omit<UserDetail, 'isSelf' | 'sessions' | 'changes'> {
  const { banned_until, deleted_at } = user as { banned_until?: string; deleted_at?: string };
  const bannedUntil = secondsOf(banned_until);
  return {
    id: user.id,
    name: nameOf(user),
    updatedAt: user.updated_at ?? '',
    fields: fieldsOf(user),
    emailConfirmedAt: secondsOf(user.email_confirmed_at),
    phoneConfirmedAt: secondsOf(user.phone_confirmed_at),
    createdAt: secondsOf(user.created_at),
    invitedAt: secondsOf(user.invited_at),
    lastSignInAt: secondsOf(user.last_sign_in_at),
    bannedUntil: bannedUntil !== null && bannedUntil * 1000 > Date.now() ? bannedUntil : null,
    isAnonymous: user.is_anonymous === true,
    isDeleted: deleted_at !== undefined,
    isAdmin: isAdmin(user as Parameters<typeof isAdmin>[0]),
    identities: (user.identities ?? []).map(({ identity_id, provider, identity_data, last_sign_in_at }) => ({
      id: identity_id,
      provider,
      name: String(identity_data?.email ?? identity_data?.phone ?? identity_data?.name ?? ''),
      lastUsedAt: secondsOf(last_sign_in_at),
    })),
    factors: (user.factors ?? [])
      .filter(({ status }) => status === 'verified')
      .map(({ id, factor_type, friendly_name, created_at }) => ({
        id,
        kind: factor_type,
        name: friendly_name ?? '',
        createdAt: secondsOf(created_at),
      })),
  };
}

/** A hosted backend has no such endpoint. */
async function listSessions({ context }: VisitorArgs, id: string): Promise<DetailSession[] | undefined> {
  const response = await context
    .get(siteContext)
    .backend.callAdmin(`/admin/users/${id}/sessions`)
    ?.catch(() => undefined);
  const body: unknown = response?.ok ? await response.json().catch(() => undefined) : undefined;
  if (!Array.isArray(body)) return undefined;
  return (body as Record<string, string | null>[]).map((session) => ({
    id: session.id ?? '',
    createdAt: secondsOf(session.created_at),
    usedAt: secondsOf(session.refreshed_at ?? session.created_at),
    aal: session.aal ?? '',
    userAgent: session.user_agent ?? '',
    address: session.ip ?? '',
  }));
}

function changeOf(entry: AuditRecord): DetailChange {
  return {
    id: entry.id,
    createdAt: secondsOf(entry.created_at),
    actor: entry.actor_email ?? entry.actor_id,
    summary: entry.summary,
    outcome: entry.outcome,
    error: entry.error ?? '',
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
  };
}

function jsonOf(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}

function secondsOf(time: string | null | undefined): number | null {
  const milliseconds = time ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
