/** How this process talks to others of the same instance: by Redis, by an external PostgreSQL, or not at all. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Config } from '@greenroom/config';
import type { Logger } from '@greenroom/http';
import { DEFAULT_NODE_TIMINGS, type NodeBus, openNodeBus, openPostgresLog } from '@greenroom/realtime';
import { logLostConnection } from './log-lost-connection.ts';

const NODE_BYTES = 9;
const PREFIX_LENGTH = 16;

/** What nodes are joined by. */
interface NodeOptions {
  config: Pick<Config, 'redisUrl' | 'databaseUrl'>;
  /** All nodes of an instance have the same. */
  jwtSecret: string;
  /** Logged in as supabase_realtime_admin. */
  realtimeUrl: string;
  log: Logger;
}

/** Opens what joins the nodes. Nobody else can be on the embedded PostgreSQL: undefined, unless there is a Redis. */
export async function openNodes({
  config,
  jwtSecret,
  realtimeUrl,
  log,
}: NodeOptions): Promise<NodeBus | undefined> {
  const node = randomBytes(NODE_BYTES).toString('base64url');
  const timings = DEFAULT_NODE_TIMINGS;
  const onLost = (error: Error) => logLostConnection(log, 'greenroom nodes', error);
  const { redisUrl: url, databaseUrl } = config;
  if (url !== undefined) {
    // Loaded only where there is a Redis.
    const { openRedisLog } = await import('@greenroom/realtime/redis-log');
    const nodeLog = openRedisLog({ url, prefix: prefixOf(jwtSecret), node, timings, onLost });
    return openNodeBus({ node, log: nodeLog, logger: log });
  }
  if (databaseUrl === undefined) return undefined;
  const nodeLog = openPostgresLog({ url: realtimeUrl, node, timings, onLost });
  return openNodeBus({ node, log: nodeLog, logger: log });
}

/** Several instances may share a Redis, and must not hear each other. */
function prefixOf(jwtSecret: string): string {
  const name = createHmac('sha256', jwtSecret).update('greenroom nodes').digest('base64url');
  return `greenroom:${name.slice(0, PREFIX_LENGTH)}`;
}
