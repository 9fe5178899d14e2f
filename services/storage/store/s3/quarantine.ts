/**
 * Quarantine in a bucket of an S3 store. Content is copied inside of the store, and then removed from its original key.
 * A multipart upload cannot be copied: it stays in place, and a separate object records its id and the date.
 */
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ContentName, PartsName, Quarantine, Quarantined, StoredContent } from '../object-store.ts';
import { dayOf } from '../quarantine-day.ts';
import { copyContent } from './copy.ts';
import { nameOf } from './s3-error.ts';
import {
  keyOf,
  parseQuarantineKey,
  QUARANTINE_PREFIX,
  quarantineKeyOf,
  quarantinePrefixOf,
} from './s3-key.ts';

/** Number of concurrent requests. */
const PARALLEL = 8;
/** Errors that are ignored, because several nodes may move the same content concurrently. */
const NOT_FOUND = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

interface Bucket {
  client: S3Client;
  Bucket: string;
}

/** Creates the quarantine of a bucket. */
export function s3Quarantine(bucket: Bucket): Quarantine {
  return {
    put: (found, date) => put(bucket, found, dayOf(date)),
    list: () => list(bucket),
    restore: async (items) => void (await inParallel(items, (one) => restoreOne(bucket, one))),
    remove: async (items) => void (await inParallel(items, (one) => removeOne(bucket, one))),
  };
}

/** Returns the key of quarantined content; undefined if it is not in quarantine. */
export async function findQuarantined(
  { client, Bucket }: Bucket,
  name: ContentName,
): Promise<string | undefined> {
  const Prefix = quarantinePrefixOf(name);
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
  return Contents.map(({ Key = '' }) => Key).find((key) => parseQuarantineKey(key)?.kind === 'content');
}

async function put(bucket: Bucket, found: readonly StoredContent[], day: string): Promise<number> {
  const moved = await inParallel(found, (one) =>
    one.kind === 'content' ? moveContent(bucket, one.name, day) : recordUpload(bucket, one.upload, day),
  );
  return moved.filter(Boolean).length;
}

/** Content stays in place if its quarantine key would be too long. */
async function moveContent(bucket: Bucket, name: ContentName, day: string): Promise<boolean> {
  const to = quarantineKeyOf(name, 'content', day);
  return to !== undefined && move(bucket, keyOf(name), to);
}

async function recordUpload({ client, Bucket }: Bucket, upload: PartsName, day: string): Promise<boolean> {
  const Key = quarantineKeyOf(upload, 'parts', day);
  if (Key === undefined) return false;
  const Body = Buffer.from(upload.uploadId);
  await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length }));
  return true;
}

async function* list({ client, Bucket }: Bucket): AsyncGenerator<Quarantined[]> {
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: QUARANTINE_PREFIX });
  for await (const { Contents = [] } of pages) {
    yield Contents.flatMap(({ Key = '' }) => {
      const parsed = parseQuarantineKey(Key);
      if (parsed === undefined) return [];
      const { name, kind, since } = parsed;
      return [{ kind, version: name.version, since, at: Key }];
    });
  }
}

async function restoreOne(bucket: Bucket, { kind, at }: Quarantined): Promise<void> {
  const name = parseQuarantineKey(at)?.name;
  if (name === undefined) return;
  if (kind === 'content') await move(bucket, at, keyOf(name));
  else await removeKey(bucket, at);
}

async function removeOne(bucket: Bucket, { kind, at }: Quarantined): Promise<void> {
  if (kind === 'parts') await abortNoted(bucket, at);
  await removeKey(bucket, at);
}

async function abortNoted({ client, Bucket }: Bucket, note: string): Promise<void> {
  const name = parseQuarantineKey(note)?.name;
  if (name === undefined) return;
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: note }));
    const UploadId = await Body?.transformToString();
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key: keyOf(name), UploadId }));
  } catch (error) {
    if (!NOT_FOUND.has(nameOf(error) ?? '')) throw error;
  }
}

async function move(bucket: Bucket, from: string, to: string): Promise<boolean> {
  try {
    await copyContent(from, { ...bucket, Key: to });
  } catch (error) {
    if (NOT_FOUND.has(nameOf(error) ?? '')) return false;
    throw error;
  }
  await removeKey(bucket, from);
  return true;
}

async function removeKey({ client, Bucket }: Bucket, Key: string): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket, Key }));
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += PARALLEL)
    results.push(...(await Promise.all(items.slice(start, start + PARALLEL).map(work))));
  return results;
}
