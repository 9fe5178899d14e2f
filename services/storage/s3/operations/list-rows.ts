/** Statements that list objects. */
import type { Statement } from '@greenroom/postgres';
import type { ObjectMetadata } from '../../rows/objects.ts';

/** Parameters of a list. */
interface ListQuery {
  bucket: string;
  prefix: string;
  /** Empty: keys are not grouped. */
  delimiter: string;
  /** Last key of the previous page; empty for the first page. */
  after: string;
  limit: number;
}

/** An object, or, without an id, a common prefix without the delimiter. */
export interface ListedObject {
  name: string;
  id: string | null;
  updated_at: Date | null;
  metadata: Partial<ObjectMetadata> | null;
}

/** Lists in byte order. Both statements read no more of the index than they return. */
export function selectListed({ bucket, prefix, delimiter, after, limit }: ListQuery): Statement {
  if (delimiter !== '') {
    return {
      text: `select name, id, updated_at, metadata
        from storage.list_objects_with_delimiter($1, $2, $3, $4, $5, $5)`,
      values: [bucket, prefix, delimiter, limit, after],
      name: 'storage_s3_list_folder',
    };
  }
  return {
    text: `select name, id, updated_at, metadata from storage.objects
      where bucket_id = $1 and name collate "C" >= $2 and name collate "C" < $2 || chr(1114111)
        and name collate "C" > $3
      order by name collate "C" limit $4`,
    values: [bucket, prefix, after, limit],
    name: 'storage_s3_list',
  };
}
