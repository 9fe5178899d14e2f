/** Copies content inside of an S3 store, without transferring its bytes to this process. */
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { nameOf } from './s3-error.ts';
import type { ObjectLocation } from './write.ts';

const GIBIBYTE = 1024 ** 3;
/** Most bytes that stores copy in one request. */
const MAX_BYTES = 5 * GIBIBYTE;

/** Copies content within the bucket of `to`. */
export async function copyContent(fromKey: string, to: ObjectLocation): Promise<void> {
  const { client, Bucket, Key } = to;
  const CopySource = `${Bucket}/${fromKey.split('/').map(encodeURIComponent).join('/')}`;
  try {
    await client.send(new CopyObjectCommand({ Bucket, Key, CopySource }));
  } catch (error) {
    // The error for content that is too large for one request has no code of its own.
    if (nameOf(error) !== 'InvalidRequest') throw error;
    const source = await client.send(new HeadObjectCommand({ Bucket, Key: fromKey }));
    if ((source.ContentLength ?? 0) <= MAX_BYTES) throw error;
    await copyInParts(CopySource, to, source);
  }
}

async function copyInParts(
  CopySource: string,
  { client, Bucket, Key }: ObjectLocation,
  source: {
    ContentLength?: number | undefined;
    ContentType?: string | undefined;
    CacheControl?: string | undefined;
  },
): Promise<void> {
  const { ContentLength: size = 0, ContentType, CacheControl } = source;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType, CacheControl }),
  );
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += GIBIBYTE) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + GIBIBYTE, size) - 1}`;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({ Bucket, Key, UploadId, PartNumber, CopySource, CopySourceRange }),
      );
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    );
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
    throw error;
  }
}
