/** Statements for storage.resumable_uploads, except those for leases. */
import type { Statement } from '@greenroom/postgres';
import type { Principal } from '../quotas/principal.ts';
import type { ContentName } from '../store/object-store.ts';
import type { ReceivedContent } from './received-content.ts';

/** A resumable upload. */
export interface UploadRow {
  version: string;
  bucket: string;
  key: string;
  /** Bytes; null if not known yet. */
  length: number | null;
  received: number;
  metadata: Record<string, string | null>;
  content: ReceivedContent;
  isFinished: boolean;
  ownerId: string | null;
  begunBy: string | null;
  /** Most bytes while the length is unknown. Null: no quota applied when the upload began. */
  reserved: number | null;
  /** Time of the last progress. The upload expires after the configured time without progress. */
  lastActiveAt: Date;
}

/** Byte counts are cast, because they fit into a double. */
const COLUMNS = `version, bucket_id as bucket, key, length::float8 as length, received::float8 as received, metadata,
  coalesce(content, '{"parts":[]}') as content, is_finished as "isFinished", owner_id as "ownerId", begun_by as "begunBy", reserved::float8 as reserved, rests_since as "lastActiveAt"`;

/** Values of a new upload. */
export interface NewUpload extends ContentName, Principal {
  length: number | null;
  reserved: number | null;
  metadata: Record<string, string | null>;
}

export function insertUpload(upload: NewUpload): Statement {
  const { bucket, key, version, length, metadata, ownerId, begunBy, reserved } = upload;
  return {
    text: `insert into storage.resumable_uploads
        (version, bucket_id, key, length, metadata, owner_id, begun_by, reserved)
      values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    values: [version, bucket, key, length, JSON.stringify(metadata), ownerId, begunBy, reserved],
    name: 'storage_resumable_insert',
  };
}

/** Selects an upload by its full name; the version alone does not give access. */
export function selectUpload({ bucket, key, version }: ContentName): Statement {
  return {
    text: `select ${COLUMNS} from storage.resumable_uploads where version = $1 and bucket_id = $2 and key = $3`,
    values: [version, bucket, key],
    name: 'storage_resumable_select',
  };
}

/** Sets the length of an upload whose length was deferred. */
export function updateLength({ version }: ContentName, length: number): Statement {
  return {
    text: 'update storage.resumable_uploads set length = $2 where version = $1',
    values: [version, length],
    name: 'storage_resumable_length',
  };
}

/** Received bytes of an upload. */
interface Progress {
  from: number;
  received: number;
  content: ReceivedContent;
}

/**
 * Records progress since offset `from`. Returns no row if the offset has changed, because another request has taken
 * over the upload.
 */
export function updateProgress(version: string, { from, received, content }: Progress): Statement {
  return {
    text: `update storage.resumable_uploads set received = $3, content = $4, rests_since = now()
      where version = $1 and received = $2 and not is_finished returning version`,
    values: [version, from, received, JSON.stringify(content)],
    name: 'storage_resumable_progress',
  };
}

/** Marks the upload as finished when its object exists. Returns no row like {@link updateProgress}. */
export function finishUpload(version: string, from: number): Statement {
  return {
    text: `update storage.resumable_uploads set received = length, content = null, is_finished = true
      where version = $1 and received = $2 and not is_finished returning version`,
    values: [version, from],
    name: 'storage_resumable_finish',
  };
}

export function deleteUpload(version: string): Statement {
  return {
    text: `delete from storage.resumable_uploads where version = $1 returning ${COLUMNS}`,
    values: [version],
    name: 'storage_resumable_delete',
  };
}

/** Deletes at most `limit` expired uploads that no request holds a lease on. */
export function deleteExpiredUploads(expiryMs: number, limit: number): Statement {
  return {
    text: `delete from storage.resumable_uploads where version in (
        select version from storage.resumable_uploads
        where rests_since < now() - $1 * interval '1 millisecond'
          and (lease_until is null or lease_until < now())
        order by rests_since limit $2 for update skip locked
      ) returning ${COLUMNS}`,
    values: [expiryMs, limit],
    name: 'storage_resumable_rested',
  };
}

/** Selects those of the given content versions that unfinished uploads reference. */
export function selectVersionsOfUploads(versions: readonly string[]): Statement {
  return {
    text: `select version::text as version from storage.resumable_uploads
        where not is_finished and version::text = any ($1::text[])
      union all
      select content -> 'tail' ->> 'version' from storage.resumable_uploads
        where content -> 'tail' ->> 'version' = any ($1::text[])`,
    values: [versions],
  };
}
