/** Finds users while an administrator types a part of their address, number, id or name. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { MetaClient } from '../../../session/meta-client.server.ts';
import { displayPhone } from '../../../session/person-name.ts';
import { type FoundRow, NAMED_USERS, nameSql, startSql } from './find-sql.ts';
import { isUuid } from './list-query.ts';
import { ESTIMATE_SQL, type Sql } from './list-sql.ts';

/** An administrator with clients. */
interface Searcher {
  actor: { actor_id: string };
  /** Undefined if the backend is hosted elsewhere. */
  meta: MetaClient | undefined;
  service(): Promise<SupabaseClient | undefined>;
}

/** A user. Absent values are ''. */
interface FoundUser {
  id: string;
  email: string;
  phone: string;
  name: string;
}

/** The users that were found. */
interface FoundUsers {
  users: FoundUser[];
  /** Only the list of users finds all. */
  isPart: boolean;
}

/**
 * Returns up to `limit` users: first those whose address, number or id begins with the text, then those with such a word in their names.
 * A hosted backend finds complete ids only. Rejects with `MetaError`.
 */
export async function findUsers(admin: Searcher, q: string, limit: number): Promise<FoundUsers> {
  if (admin.meta === undefined) return { users: await findById(admin, q), isPart: false };
  const { rows, isPart } = await findBySql(admin.meta, admin.actor.actor_id, q, limit);
  return { users: rows.map(toFoundUser), isPart };
}

async function findBySql(meta: MetaClient, adminId: string, q: string, limit: number) {
  const rowsOf = <Row>({ text, values }: Sql) => meta.rows<Row>(text, values);
  const [byStart, byName, estimates] = await Promise.all([
    rowsOf<FoundRow>(startSql(q, adminId, limit)),
    rowsOf<FoundRow>(nameSql(q, adminId, limit)),
    meta.rows<{ total: number }>(ESTIMATE_SQL),
  ]);
  const byId = new Map([...byStart, ...byName].map((row) => [row.id, row]));
  const rows = [...byId.values()].slice(0, limit);
  const total = estimates[0]?.total ?? 0;
  return { rows, isPart: rows.length === limit || total > NAMED_USERS };
}

async function findById(admin: Searcher, q: string): Promise<FoundUser[]> {
  const client = isUuid(q) ? await admin.service() : undefined;
  const found = await client?.auth.admin.getUserById(q);
  const user = found?.data.user;
  if (!user) return [];
  const { id, email = null, phone = null, user_metadata: metadata } = user;
  const name = typeof metadata.full_name === 'string' ? metadata.full_name : null;
  return [toFoundUser({ id, email, phone, name })];
}

function toFoundUser({ id, email, phone, name }: FoundRow): FoundUser {
  return { id, email: email ?? '', phone: phone ? displayPhone(phone) : '', name: name ?? '' };
}
