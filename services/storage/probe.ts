/** Checks an object store before an instance uses it. */
import type { S3StoreConfig } from './settings.ts';
import { openS3Store } from './store/s3.ts';

const TIMEOUT_MS = 10_000;

/** Resolves if the bucket can be read. Rejects with the reason. */
export async function probeStore(config: S3StoreConfig): Promise<void> {
  const store = openS3Store(config);
  try {
    await store.readInstanceId(AbortSignal.timeout(TIMEOUT_MS));
  } catch (error) {
    const { message, cause } = error as Error;
    throw cause instanceof Error ? cause : new Error(message, { cause: error });
  } finally {
    await store.close();
  }
}
