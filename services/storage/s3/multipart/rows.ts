/**
 * Statements for storage.s3_multipart_uploads and their parts. Clients have at most read access, if policies permit it.
 */
import type { Statement } from '@greenroom/postgres';
import type { UserMetadata } from '../../validate/user-metadata.ts';

/** A multipart upload. */
export interface UploadRow {
  id: string;
  bucket_id: string;
  key: string;
  version: string;
  owner_id: string | null;
  begun_by: string | null;
  created_at: Date;
  user_metadata: UserMetadata | null;
  metadata: { mimetype?: string; cacheControl?: string } | null;
}

/** A part of a multipart upload. */
export interface PartRow {
  part_number: number;
  etag: string;
  size: number;
  created_at: Date;
}

const UPLOAD = 'id, bucket_id, key, version, owner_id, begun_by, created_at, user_metadata, metadata';
const PART = 'part_number, etag, size::float8 as size, created_at';

/** Values of a new upload. */
type NewUpload = Omit<UploadRow, 'created_at'>;

/**
 * Inserts an upload. The signature column, which protects rows from clients, is empty because clients cannot write
 * these rows.
 */
export function insertUpload(row: NewUpload): Statement {
  return {
    text: `insert into storage.s3_multipart_uploads
        (id, bucket_id, key, version, owner_id, begun_by, user_metadata, metadata, upload_signature)
      values ($1, $2, $3, $4, $5, $6, $7, $8, '')`,
    values: [
      row.id,
      row.bucket_id,
      row.key,
      row.version,
      row.owner_id,
      row.begun_by,
      row.user_metadata,
      row.metadata,
    ],
    name: 'storage_upload_insert',
  };
}

/** Selects an upload if it belongs to this bucket and key. */
export function selectUpload(id: string, bucket: string, key: string): Statement {
  return {
    text: `select ${UPLOAD} from storage.s3_multipart_uploads where id = $1 and bucket_id = $2 and key = $3`,
    values: [id, bucket, key],
    name: 'storage_upload_select',
  };
}

/** Locks an upload, so that other requests cannot add parts until the end of the transaction. */
export function lockUpload(id: string): Statement {
  return {
    text: 'select id from storage.s3_multipart_uploads where id = $1 for update',
    values: [id],
    name: 'storage_upload_lock',
  };
}

/** Deletes an upload with its parts. Returns no row if another request has already deleted it. */
export function deleteUpload(id: string): Statement {
  return {
    text: 'delete from storage.s3_multipart_uploads where id = $1 returning id',
    values: [id],
    name: 'storage_upload_delete',
  };
}

/** Deletes at most `limit` uploads and their parts without activity for `expiryMs`. */
export function deleteExpiredUploads(expiryMs: number, limit: number): Statement {
  return {
    text: `delete from storage.s3_multipart_uploads where id in (
        select u.id from storage.s3_multipart_uploads as u
        where u.created_at < now() - $1 * interval '1 millisecond' and not exists (
          select from storage.s3_multipart_uploads_parts as p
          where p.upload_id = u.id and p.created_at >= now() - $1 * interval '1 millisecond'
        )
        order by u.created_at limit $2 for update skip locked
      ) returning ${UPLOAD}`,
    values: [expiryMs, limit],
    name: 'storage_upload_rested',
  };
}

/** A written part. */
interface NewPart {
  uploadId: string;
  bucket: string;
  key: string;
  version: string;
  ownerId: string | null;
  partNumber: number;
  size: number;
  eTag: string;
}

/** Inserts a part, replacing a part of the same number. */
export function replacePart(part: NewPart): Statement[] {
  const { uploadId, partNumber, size, eTag, bucket, key, version, ownerId } = part;
  return [
    {
      text: 'delete from storage.s3_multipart_uploads_parts where upload_id = $1 and part_number = $2',
      values: [uploadId, partNumber],
      name: 'storage_part_delete',
    },
    {
      text: `insert into storage.s3_multipart_uploads_parts
          (upload_id, part_number, size, etag, bucket_id, key, version, owner_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [uploadId, partNumber, size, eTag, bucket, key, version, ownerId],
      name: 'storage_part_insert',
    },
    {
      text: `update storage.s3_multipart_uploads set in_progress_size = (
          select sum(size) from storage.s3_multipart_uploads_parts where upload_id = $1
        ) where id = $1`,
      values: [uploadId],
      name: 'storage_upload_progress',
    },
  ];
}

/** Sums the bytes of all parts except one. */
export function sumOtherParts(uploadId: string, partNumber: number): Statement {
  return {
    text: `select coalesce(sum(size), 0)::float8 as size from storage.s3_multipart_uploads_parts
      where upload_id = $1 and part_number <> $2`,
    values: [uploadId, partNumber],
    name: 'storage_parts_sum',
  };
}

/** Selects parts after a part number, in order. */
export function selectParts(uploadId: string, after: number, limit: number): Statement {
  return {
    text: `select ${PART} from storage.s3_multipart_uploads_parts
      where upload_id = $1 and part_number > $2 order by part_number limit $3`,
    values: [uploadId, after, limit],
    name: 'storage_parts_select',
  };
}

/** Parameters of a list. */
interface UploadsQuery {
  bucket: string;
  prefix: string;
  /** Empty: keys are not grouped. */
  delimiter: string;
  /** Start of the page: after an upload, or, without an id, after all uploads of that key or prefix. */
  after: { key: string; id: string | undefined } | undefined;
  limit: number;
}

/** An upload, or, without an id, a common prefix including the delimiter. */
export interface ListedUpload {
  key: string;
  id: string | null;
  created_at: Date | null;
}

/** Lists uploads by key and then by start time. */
export function selectUploads({ bucket, prefix, delimiter, after, limit }: UploadsQuery): Statement {
  return {
    text: `with found as (
        select id, created_at, key,
          case when $3 <> '' and strpos(substr(key, length($2) + 1), $3) > 0
            then substr(key, 1, length($2) + strpos(substr(key, length($2) + 1), $3) + length($3) - 1)
          end as folder
        from storage.s3_multipart_uploads where bucket_id = $1 and starts_with(key, $2)
      ), listed as (
        select distinct on (coalesce(folder, key) collate "C", case when folder is null then created_at end,
            case when folder is null then id end)
          coalesce(folder, key) collate "C" as key,
          case when folder is null then id end as id,
          case when folder is null then created_at end as created_at
        from found
      )
      select key, id, created_at from listed
      where $4::text is null or key > $4 or (
        key = $4 and $5::text is not null and (created_at, id) > (
          (select created_at from storage.s3_multipart_uploads where id = $5), $5
        )
      )
      order by key, created_at, id limit $6`,
    values: [bucket, prefix, delimiter, after?.key ?? null, after?.id ?? null, limit],
    name: 'storage_uploads_select',
  };
}
