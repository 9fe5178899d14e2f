/** The official client of S3 on a test's server. */
import { S3Client, type S3ClientConfig, type S3ServiceException } from '@aws-sdk/client-s3';
import { type StorageServer, TEST_S3_KEYS } from '../../testing/storage-server.ts';

/** A client with the instance's keys, unless `options` say otherwise. Close it with `destroy`. */
export function clientOf(server: StorageServer, options: S3ClientConfig = {}): S3Client {
  return new S3Client({
    endpoint: `${server.url}/s3`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: TEST_S3_KEYS,
    maxAttempts: 1,
    ...options,
  });
}

/** A client of somebody who has signed in. */
export function sessionClient(server: StorageServer, sessionToken: string): S3Client {
  return clientOf(server, {
    credentials: { accessKeyId: 'local', secretAccessKey: server.apiKeys.anon, sessionToken },
  });
}

/** What an operation was refused with: `404 NoSuchKey`. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    const { name, $metadata } = error as S3ServiceException;
    return `${$metadata?.httpStatusCode} ${name}`;
  }
}
