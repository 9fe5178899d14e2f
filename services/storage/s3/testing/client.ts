/** Creates official S3 clients for a test server. */
import { S3Client, type S3ClientConfig, type S3ServiceException } from '@aws-sdk/client-s3';
import { type StorageServer, TEST_S3_KEYS } from '../../testing/storage-server.ts';

/** Creates a client with the instance's keys, unless `options` override them. Close it with `destroy`. */
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

/** Creates a client with a session token. */
export function sessionClient(server: StorageServer, sessionToken: string): S3Client {
  return clientOf(server, {
    credentials: { accessKeyId: 'local', secretAccessKey: server.apiKeys.anon, sessionToken },
  });
}

/** Returns the error of an operation, e.g. `404 NoSuchKey`, or `none`. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    const { name, $metadata } = error as S3ServiceException;
    return `${$metadata?.httpStatusCode} ${name}`;
  }
}
