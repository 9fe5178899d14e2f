/** Reads and writes the object with the id of the instance, at the root of the bucket. */
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { nameOf, statusOf } from './s3-error.ts';
import { INSTANCE_ID_KEY } from './s3-key.ts';
import { abortable } from './write.ts';

/** Reads the id; undefined if the object does not exist. */
export async function readInstanceId(
  client: S3Client,
  Bucket: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket, Key: INSTANCE_ID_KEY }),
      abortable(signal),
    );
    return (await Body?.transformToString())?.trim();
  } catch (error) {
    const isAbsent =
      nameOf(error) === 'NoSuchKey' || (statusOf(error) === 404 && nameOf(error) === 'NotFound');
    if (isAbsent) return undefined;
    throw error;
  }
}

/** Writes the id. Stores replace an object atomically. */
export async function writeInstanceId(client: S3Client, Bucket: string, id: string): Promise<void> {
  const Body = Buffer.from(`${id}\n`);
  await client.send(
    new PutObjectCommand({
      Bucket,
      Key: INSTANCE_ID_KEY,
      Body,
      ContentLength: Body.length,
      ContentType: 'text/plain',
    }),
  );
}
