/** Lists the bucket of an S3 store in batches. */
import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { StoredContent } from '../object-store.ts';
import { nameOf, statusOf } from './s3-error.ts';
import { parseKey } from './s3-key.ts';

/** Lists content and multipart uploads older than `before`. Skips keys of another form. */
export async function* listContent(
  client: S3Client,
  Bucket: string,
  before: Date,
): AsyncGenerator<StoredContent[]> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    yield Contents.filter(({ LastModified }) => isOlder(LastModified, before)).flatMap(({ Key = '' }) => {
      const name = parseKey(Key);
      return name === undefined ? [] : [{ kind: 'content', name } as const];
    });
  }
  yield* listUploads(client, Bucket, before);
}

async function* listUploads(client: S3Client, Bucket: string, before: Date): AsyncGenerator<StoredContent[]> {
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    const KeyMarker = page?.NextKeyMarker;
    const UploadIdMarker = page?.NextUploadIdMarker;
    try {
      page = await client.send(new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker }));
    } catch (error) {
      // Not every store supports this request. Such stores clean up abandoned uploads by their own rules.
      if (nameOf(error) === 'NotImplemented' || statusOf(error) === 501) return;
      throw error;
    }
    const { Uploads = [] } = page;
    yield Uploads.filter(({ Initiated }) => isOlder(Initiated, before)).flatMap(({ Key = '', UploadId }) => {
      const name = parseKey(Key);
      if (name === undefined || UploadId === undefined) return [];
      return [{ kind: 'parts', upload: { ...name, uploadId: UploadId } } as const];
    });
  } while (page.IsTruncated);
}

function isOlder(time: Date | undefined, before: Date): boolean {
  return time !== undefined && time < before;
}
