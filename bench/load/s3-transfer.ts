/** Uploads or downloads content by the S3 protocol like its official client: whole, or in concurrent parts. */
import { Readable } from 'node:stream';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { loadInput, serveLoad } from '../measure/load-process.ts';

export interface S3TransferInput {
  kind: 'up' | 'up in parts' | 'down' | 'copy';
  url: string;
  keys: { accessKeyId: string; secretAccessKey: string };
  bucket: string;
  key: string;
  bytes: number;
}

const CHUNK = Buffer.alloc(64 * 1024, 'greenroom');
const PART_BYTES = 10_000_000;
const PARALLEL = 4;
const { kind, url, keys, bucket: Bucket, key: Key, bytes } = loadInput<S3TransferInput>();
const client = new S3Client({
  endpoint: url,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: keys,
});
const TRANSFERS = { up, 'up in parts': upInParts, down, copy };

serveLoad(1, () => TRANSFERS[kind]());

async function up(): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket, Key, Body: contentOf(bytes), ContentLength: bytes }));
}

async function upInParts(): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const Parts: CompletedPart[] = [];
  const numbers = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, index) => index + 1).values();
  const send = async () => {
    for (const PartNumber of numbers) {
      const ContentLength = Math.min(PART_BYTES, bytes - (PartNumber - 1) * PART_BYTES);
      const part = { Bucket, Key, UploadId, PartNumber, ContentLength, Body: contentOf(ContentLength) };
      const { ETag } = await client.send(new UploadPartCommand(part));
      Parts[PartNumber - 1] = { PartNumber, ETag };
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, send));
  await client.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
  );
}

async function down(): Promise<void> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  let received = 0;
  for await (const chunk of Body as AsyncIterable<Buffer>) received += chunk.length;
  if (received !== bytes) throw new Error(`${received} bytes instead of ${bytes}`);
}

async function copy(): Promise<void> {
  await client.send(new CopyObjectCommand({ Bucket, Key: `${Key}-copied`, CopySource: `${Bucket}/${Key}` }));
}

function contentOf(length: number): Readable {
  let left = length;
  return new Readable({
    read() {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= chunk.length;
      this.push(chunk.length === 0 ? null : chunk);
    },
  });
}
