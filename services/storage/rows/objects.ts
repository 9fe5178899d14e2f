/** Statements for storage.objects, except lists. */
import type { Statement } from '@greenroom/postgres';
import type { UserMetadata } from '../validate/user-metadata.ts';

/** Metadata of content in an object's row. */
export interface ObjectMetadata {
  /** Includes the quotes, as in the header. */
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  /** ISO 8601. */
  lastModified: string;
  contentLength: number;
  httpStatusCode: 200;
  xRobotsTag?: string;
}

/** A row of storage.objects. It may have been written by SQL, so values may be null and metadata incomplete. */
export interface ObjectRow {
  id: string;
  bucket_id: string;
  name: string;
  owner: string | null;
  owner_id: string | null;
  version: string | null;
  created_at: Date | null;
  updated_at: Date | null;
  last_accessed_at: Date | null;
  metadata: Partial<ObjectMetadata> | null;
  user_metadata: UserMetadata | null;
}

const COLUMNS =
  'id, bucket_id, name, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata';

/** Values of a new row. */
export interface NewObject {
  bucket: string;
  key: string;
  owner: string | null;
  ownerId: string | null;
  version: string;
  metadata: object;
  userMetadata: UserMetadata | null;
}

const INSERT = `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  values ($1, $2, $3, $4, $5, $6, $7)`;
/** Overwrites the row if the key already exists. */
export const OVERWRITE = `on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
  version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata`;

function valuesOf(row: NewObject): unknown[] {
  return [row.bucket, row.key, row.owner, row.ownerId, row.version, row.metadata, row.userMetadata];
}

/** Has no RETURNING, so callers who may write but not read can upload. */
export function insertObject(row: NewObject): Statement {
  return { text: INSERT, values: valuesOf(row), name: 'storage_object_insert' };
}

/** Has RETURNING, so callers who may not read cannot overwrite. */
export function upsertObject(row: NewObject): Statement {
  return {
    text: `${INSERT} ${OVERWRITE} returning ${COLUMNS}`,
    values: valuesOf(row),
    name: 'storage_object_upsert',
  };
}

/** A written row, with the version of the row that it has replaced; null if it is new. */
export type WrittenObject = ObjectRow & { replaced_version: string | null };

/** Like {@link upsertObject}, and returns the replaced version. Locks the row first, so that the version is current. */
export function replaceObject(row: NewObject): Statement {
  return {
    text: `with replaced as materialized (
        select version from storage.objects where bucket_id = $1 and name = $2 for update
      )
      insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
      select $1, $2, $3::uuid, $4::text, $5::text, $6::jsonb, $7::jsonb from (select count(*) from replaced) as locked
      ${OVERWRITE} returning ${COLUMNS}, (select version from replaced) as replaced_version`,
    values: valuesOf(row),
    name: 'storage_object_replace',
  };
}

/** Returns no row if the key already exists. */
export function insertNewObject(row: NewObject): Statement {
  return {
    text: `${INSERT} on conflict (bucket_id, name) do nothing returning ${COLUMNS}`,
    values: valuesOf(row),
    name: 'storage_object_insert_new',
  };
}

export function selectObject(bucket: string, key: string): Statement {
  return {
    text: `select ${COLUMNS} from storage.objects where bucket_id = $1 and name = $2`,
    values: [bucket, key],
    name: 'storage_object_select',
  };
}

/** Locks an object and returns its version. */
export function lockVersion(bucket: string, key: string): Statement {
  return {
    text: 'select version from storage.objects where bucket_id = $1 and name = $2 for update',
    values: [bucket, key],
    name: 'storage_object_lock',
  };
}

/** Selects which of these keys exist. */
export function selectNames(bucket: string, keys: readonly string[]): Statement {
  return {
    text: 'select name from storage.objects where bucket_id = $1 and name = any ($2)',
    values: [bucket, keys],
    name: 'storage_object_names',
  };
}

/** Triggers of the service itself on storage.objects. */
export const OWN_TRIGGERS = [
  'count_deleted',
  'count_inserted',
  'count_updated',
  'keep_version',
  'protect_objects_delete',
  'update_objects_updated_at',
];

/**
 * Returns the condition that policies or triggers of the project apply to writes of the current role. `ownTriggers` is the
 * parameter that has {@link OWN_TRIGGERS}.
 */
export function isRestricted(ownTriggers: string): string {
  return `(pg_catalog.row_security_active('storage.objects') or exists (
    select from pg_catalog.pg_trigger
      where tgrelid = 'storage.objects'::regclass and not tgisinternal and tgname <> all (${ownTriggers})
  ))`;
}

/**
 * Selects whether a write of the current role may be refused, by policies or by triggers of the project, and whether the
 * role sees an object of this key.
 */
export function selectRestrictions(bucket: string, key: string): Statement {
  return {
    text: `select ${isRestricted('$3')} as is_restricted,
      exists (select from storage.objects where bucket_id = $1 and name = $2) as key_exists`,
    values: [bucket, key, OWN_TRIGGERS],
    name: 'storage_object_restrictions',
  };
}

/** Selects whether a bucket exists and is public, and an object of a public bucket. */
export function selectPublic(bucket: string, key: string): Statement {
  return {
    text: `select b.public, ${columnsOf('o')} from storage.buckets b
      left join storage.objects o on b.public and o.bucket_id = b.id and o.name = $2
      where b.id = $1`,
    values: [bucket, key],
    name: 'storage_object_select_public',
  };
}

/** Deletes the objects that the caller may see and delete. */
export function deleteObjects(bucket: string, keys: readonly string[]): Statement {
  return {
    text: `delete from storage.objects where bucket_id = $1 and name = any ($2) returning ${COLUMNS}`,
    values: [bucket, keys],
    name: 'storage_objects_delete',
  };
}

/**
 * Most bytes of stored user metadata in responses about many objects; larger metadata is null there, because each
 * object may have a megabyte.
 */
const MAX_METADATA_BYTES_OF_MANY = 16_384;

/** Like {@link deleteObjects}, but omits large user metadata. */
export function deleteManyObjects(bucket: string, keys: readonly string[]): Statement {
  const columns = COLUMNS.replace(
    'user_metadata',
    `case when pg_catalog.pg_column_size(user_metadata) <= ${MAX_METADATA_BYTES_OF_MANY} then user_metadata end as user_metadata`,
  );
  return {
    text: `delete from storage.objects where bucket_id = $1 and name = any ($2) returning ${columns}`,
    values: [bucket, keys],
    name: 'storage_objects_delete_many',
  };
}

/** The new name and version of an object. */
export interface Relocation {
  from: { bucket: string; key: string };
  to: { bucket: string; key: string };
  version: string;
  owner: string | null;
  ownerId: string | null;
}

/**
 * Moves a row. Returns no row if it does not exist or the caller may not see it. Keeps the owner if there is no new
 * one.
 */
export function relocateObject({ from, to, version, owner, ownerId }: Relocation): Statement {
  return {
    text: `update storage.objects set bucket_id = $3, name = $4, version = $5,
        owner = case when $7::text is null then owner else $6::uuid end, owner_id = coalesce($7::text, owner_id)
      where bucket_id = $1 and name = $2 returning ${COLUMNS}`,
    values: [from.bucket, from.key, to.bucket, to.key, version, owner, ownerId],
    name: 'storage_object_relocate',
  };
}

/** Longest wait for another writer of the same key. */
const LOCK_TIMEOUT = '5s';

/**
 * Locks keys against other writers until the end of the transaction. Keys are locked in the order of their names, which
 * prevents deadlocks.
 */
export function lockKeys(...keys: readonly { bucket: string; key: string }[]): Statement[] {
  const names = [...new Set(keys.map(({ bucket, key }) => `${bucket}/${key}`))].toSorted();
  const locks = names.map((_, index) => {
    return `pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($${index + 1}, 0))`;
  });
  return [
    {
      text: `select pg_catalog.set_config('lock_timeout', '${LOCK_TIMEOUT}', true), ${locks.join(', ')}`,
      values: names,
      name: `storage_lock_keys_${names.length}`,
    },
  ];
}

/** Selects which of these versions a row of an object or of a multipart upload names. */
export function selectReferencedVersions(versions: readonly string[]): Statement {
  return {
    text: `select version from storage.objects where version = any ($1)
      union all select version from storage.s3_multipart_uploads where version = any ($1)`,
    values: [versions],
    name: 'storage_known_versions',
  };
}

function columnsOf(alias: string): string {
  return COLUMNS.split(', ')
    .map((column) => `${alias}.${column}`)
    .join(', ');
}
