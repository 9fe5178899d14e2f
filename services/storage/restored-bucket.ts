/** A private bucket of a live instance that receives objects of a backup, with the dates and owners of their rows. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Database, openDatabase, roleUrl, type Statement } from '@greenroom/postgres';
import type { ContentStore } from './content-store.ts';
import { STORAGE_ROLE } from './roles.ts';
import { insertBucket } from './rows/buckets.ts';

/** A row of storage.objects in a backup. Dates (ISO 8601) and JSON are texts, so that no digit changes. */
export interface FormerObject {
  name: string;
  owner: string | null;
  owner_id: string | null;
  created_at: string | null;
  last_accessed_at: string | null;
  metadata: string | null;
  user_metadata: string | null;
  mimetype: string | null;
}

/** Objects that are written at the same time. */
const CONNECTIONS = 4;
const DEFAULT_TYPE = 'application/octet-stream';

/** Triggers see the role that writes rows of the service. */
const AS_SERVICE: Statement = { text: `select pg_catalog.set_config('role', 'service_role', true)` };

/** Selects a {@link FormerObject} of a bucket by its version. */
export function selectFormerObject(bucket: string, version: string): Statement {
  return {
    text: `select name, owner::text, owner_id, to_jsonb(created_at) #>> '{}' as created_at,
        to_jsonb(last_accessed_at) #>> '{}' as last_accessed_at,
        metadata::text, user_metadata::text, metadata ->> 'mimetype' as mimetype
      from storage.objects where version = $2 and bucket_id = $1`,
    values: [bucket, version],
    name: 'restore_object_select',
  };
}

/** The bucket. */
export interface RestoredBucket {
  /** Whether it existed before. */
  isContinued: boolean;
  hasKey(key: string): Promise<boolean>;
  /** Writes the content, and then the row. */
  write(object: FormerObject, content: Readable): Promise<void>;
  close(): Promise<void>;
}

/** Options of {@link openRestoredBucket}. */
interface RestoredBucketOptions {
  /** URL of any role of the live database. */
  databaseUrl: string;
  /** The secret that passwords of services derive from. */
  secret: string;
  store: ContentStore;
  /** Id of the bucket. */
  id: string;
}

/** Creates the bucket, or opens it if an earlier restore has created it. Throws if it is public. */
export async function openRestoredBucket(options: RestoredBucketOptions): Promise<RestoredBucket> {
  const { databaseUrl, secret, store, id } = options;
  const url = roleUrl(databaseUrl, STORAGE_ROLE, secret);
  const database = openDatabase({ url, max: CONNECTIONS, applicationName: 'greenroom restore' });
  try {
    const isContinued = await ensureBucket(database, id);
    return {
      isContinued,
      async hasKey(key) {
        const [rows = []] = await database.batch([
          { text: 'select from storage.objects where bucket_id = $1 and name = $2', values: [id, key] },
        ]);
        return rows.length > 0;
      },
      async write(object, content) {
        const version = randomUUID();
        await store.write(
          { bucket: id, key: object.name, version },
          content,
          object.mimetype ?? DEFAULT_TYPE,
        );
        await database.batch([AS_SERVICE, insertObject(id, version, object)]);
      },
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Returns whether the bucket existed. */
async function ensureBucket(database: Database, id: string): Promise<boolean> {
  const [[found] = []] = await database.batch([
    { text: 'select public from storage.buckets where id = $1', values: [id] },
  ]);
  if (found?.public === true)
    throw new Error(`the bucket ${id} exists and is public, so nothing is restored into it.`);
  if (found !== undefined) return true;
  const bucket = {
    id,
    name: id,
    owner: null,
    ownerId: null,
    public: false,
    sizeLimit: null,
    mimeTypes: null,
  };
  await database.batch([AS_SERVICE, insertBucket(bucket)]);
  return false;
}

/** A continuous backup finds content of other processes by the column `updated_at`, so that has the time of the insert. */
function insertObject(bucket: string, version: string, object: FormerObject): Statement {
  const { name, owner, owner_id: ownerId, metadata, user_metadata: userMetadata } = object;
  const dates = [object.created_at, object.last_accessed_at];
  return {
    text: `insert into storage.objects
        (bucket_id, name, version, owner, owner_id, metadata, user_metadata, created_at, last_accessed_at)
      values ($1, $2, $3, $4::uuid, $5, $6::jsonb, $7::jsonb, $8::timestamptz, $9::timestamptz)`,
    values: [bucket, name, version, owner, ownerId, metadata, userMetadata, ...dates],
    name: 'restore_object_insert',
  };
}
