/** Connects this process to other nodes of the instance: through Redis, through a shared PostgreSQL, or not at all. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from '@greenroom/log';
import { logLostConnection } from '@greenroom/postgres';
import { type NodeBus, openNodeBus } from './bus.ts';
import { DEFAULT_NODE_TIMINGS } from './log.ts';
import { openPostgresLog } from './postgres-log.ts';

const NODE_BYTES = 9;
const PREFIX_LENGTH = 16;

/** Options of {@link openNodes}. */
interface NodeOptions {
  redisUrl: string | undefined;
  /** URL of a database that other nodes may share; undefined if the database belongs to this process alone. */
  postgresUrl: string | undefined;
  /** The secret that all nodes of an instance share; it identifies the instance in Redis. */
  jwtSecret: string;
  log: Logger;
}

/** Opens the bus between nodes. Resolves with undefined if this node is the only one. */
export async function openNodes({
  redisUrl,
  postgresUrl,
  jwtSecret,
  log,
}: NodeOptions): Promise<NodeBus | undefined> {
  const node = randomBytes(NODE_BYTES).toString('base64url');
  const timings = DEFAULT_NODE_TIMINGS;
  const onLost = (error: Error) => logLostConnection(log, 'greenroom nodes', error);
  if (redisUrl !== undefined) {
    // Loads the Redis client only if it is needed.
    const { openRedisLog } = await import('./redis-log.ts');
    const nodeLog = openRedisLog({ url: redisUrl, prefix: prefixOf(jwtSecret), node, timings, onLost });
    return openNodeBus({ node, log: nodeLog, logger: log });
  }
  if (postgresUrl === undefined) return undefined;
  const nodeLog = openPostgresLog({ url: postgresUrl, node, timings, onLost });
  return openNodeBus({ node, log: nodeLog, logger: log });
}

/** Derives the prefix of all keys from the secret: instances that share a Redis must not read each other's messages. */
function prefixOf(jwtSecret: string): string {
  const name = createHmac('sha256', jwtSecret).update('greenroom nodes').digest('base64url');
  return `greenroom:${name.slice(0, PREFIX_LENGTH)}`;
}
