/** Statements that check and write the rows of several uploads at once, as service_role. */
import type { Statement } from '@greenroom/postgres';
import { SERVICE_CALLER } from '../caller.ts';
import { isRestricted, type NewObject, OVERWRITE, OWN_TRIGGERS } from '../rows/objects.ts';

/** Bucket and key of an object. */
export interface ObjectKey {
  bucket: string;
  key: string;
}

/**
 * Settings of a group's transaction, as expressions. PostgreSQL would plan the statements of a group for each execution,
 * because their cost depends on the number of rows; planning takes longer than execution. The claims and headers of
 * requests are not set: only policies and triggers can read them.
 */
const GROUP_SETTINGS = `pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),
  pg_catalog.set_config('role', '${SERVICE_CALLER.role}', true)`;

/** Switches the transaction of a group to service_role. */
export const BECOME_SERVICE: Statement = {
  text: `select from (select ${GROUP_SETTINGS}) as settings`,
  name: 'storage_become_service',
};

/** Row of {@link selectRestrictionsOfKeys}. */
export interface KeyRestrictions {
  is_restricted: boolean;
  /** Positions of the keys that exist, starting at 1. */
  existing: number[];
}

/** Like `selectRestrictions`, for several keys. */
export function selectRestrictionsOfKeys(keys: readonly ObjectKey[]): Statement {
  return {
    text: `select ${isRestricted('$1')} as is_restricted, array(
        select k.n::integer from unnest($2::text[], $3::text[]) with ordinality as k (bucket, key, n)
          where (select true from storage.objects where bucket_id = k.bucket and name = k.key)
      ) as existing`,
    values: [OWN_TRIGGERS, keys.map(({ bucket }) => bucket), keys.map(({ key }) => key)],
    name: 'storage_objects_restrictions',
  };
}

/** Longest wait for another writer of any row. It is below PostgreSQL's `deadlock_timeout` of 1 s. */
const GROUP_LOCK_TIMEOUT = '100ms';

/**
 * Locks the keys that no other writer has locked, as `lockKeys` does, and switches to service_role. This is a statement of
 * its own, so that {@link writeGroup} sees the rows that earlier holders of the locks have committed. The positions of the
 * locked keys are passed to it as a setting of the transaction, which saves a round trip.
 */
export function tryLockKeys(keys: readonly ObjectKey[]): Statement {
  return {
    text: `select from (select pg_catalog.set_config('lock_timeout', '${GROUP_LOCK_TIMEOUT}', true),
        pg_catalog.set_config('storage.locked_keys', array(
          select k.n::integer from unnest($1::text[]) with ordinality as k (name, n)
            where pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtextextended(k.name, 0))
        )::text, true),
        ${GROUP_SETTINGS}
      ) as settings`,
    values: [keys.map(({ bucket, key }) => `${bucket}/${key}`)],
    name: 'storage_try_lock_keys',
  };
}

/** A row of a group, with its position among the keys of {@link tryLockKeys}, starting at 1. */
interface GroupRow {
  position: number;
  row: NewObject;
}

/** Row of {@link writeGroup}. The id is null if the key already exists. */
export interface WrittenGroupRow {
  position: number;
  id: string | null;
  replaced_version: string | null;
}

const INSERT_GIVEN = `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  select bucket, key, owner, owner_id, version, metadata, user_metadata from given`;
const RETURNING = 'returning bucket_id, name, id';
/** Returns no row if the key already exists. */
const INSERT_NEW = `written as (
    ${INSERT_GIVEN} on conflict (bucket_id, name) do nothing ${RETURNING}
  )`;
/** Locks existing rows first, so that the replaced versions are current. */
const REPLACE = `replaced as materialized (
    select given.position, existing.version from given cross join lateral (
      select version from storage.objects where bucket_id = given.bucket and name = given.key limit 1 for update
    ) as existing
  ), written as (
    ${INSERT_GIVEN}, (select count(*) from replaced) as locked ${OVERWRITE} ${RETURNING}
  )`;

/**
 * Writes rows and returns those whose keys {@link tryLockKeys} has locked. Writes and returns none if policies or triggers
 * of the project apply: the check is part of the statement, whose table lock keeps triggers from being created.
 */
export function writeGroup(rows: readonly GroupRow[], isUpsert: boolean): Statement {
  const given = rows.map(({ position, row }) => ({
    position,
    bucket: row.bucket,
    key: row.key,
    owner: row.owner,
    owner_id: row.ownerId,
    version: row.version,
    metadata: row.metadata,
    user_metadata: row.userMetadata,
  }));
  return {
    text: `with given as materialized (
        select r.* from pg_catalog.json_to_recordset($1::json) as r (
            position integer, bucket text, key text, owner uuid, owner_id text, version text, metadata jsonb,
            user_metadata jsonb
          )
          where r.position = any (pg_catalog.current_setting('storage.locked_keys')::integer[])
            and not (select ${isRestricted('$2')})
      ), ${isUpsert ? REPLACE : INSERT_NEW}
      select given.position, written.id, ${isUpsert ? 'replaced.version' : 'null'} as replaced_version
        from given left join written on written.bucket_id = given.bucket and written.name = given.key
        ${isUpsert ? 'left join replaced on replaced.position = given.position' : ''}`,
    values: [JSON.stringify(given), OWN_TRIGGERS],
    name: isUpsert ? 'storage_objects_replace' : 'storage_objects_insert_new',
  };
}
