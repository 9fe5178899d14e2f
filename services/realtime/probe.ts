/** Checks a Redis before an instance uses it. */
import { Redis } from 'ioredis';

const TIMEOUT_MS = 5000;

/** Resolves if the server accepts the login and responds. Rejects with the reason. */
export async function probeRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  // The error of a command only says that the connection was closed.
  redis.on('error', (error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
