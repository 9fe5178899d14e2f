/** Runs a real S3 server for tests, with one empty bucket. */

import { startFauxqs } from 'fauxqs';
import type { S3StoreConfig } from '../../settings.ts';

/** A running S3 server. */
export interface TestS3Server {
  config: S3StoreConfig;
  /** Removes all objects of the bucket. */
  empty(): void;
  close(): Promise<void>;
}

/** Starts a server on a free port. It keeps content in memory. */
export async function startS3Server(): Promise<TestS3Server> {
  const bucket = 'objects';
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket(bucket);
  return {
    config: {
      endpoint: `http://127.0.0.1:${server.port}`,
      bucket,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    empty: () => server.emptyBucket(bucket),
    close: () => server.stop(),
  };
}
