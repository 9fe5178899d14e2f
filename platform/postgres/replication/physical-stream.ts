/**
 * The stream of a server's write-ahead log as bytes: reconnects after a loss and continues where the owner wants. The
 * life cycle is that of every stream (./stream-state.ts).
 */
import type pg from 'pg';
import { createReplicationClient } from './client.ts';
import {
  identifySystem,
  type PhysicalStart,
  type SystemIdentity,
  startPhysicalReplication,
} from './commands.ts';
import { formatLsn } from './lsn.ts';
import { ReplicationStream } from './stream.ts';
import { type Lsn, readWalStart } from './wal-message.ts';

/** SQLSTATE of the server if the log from a position was removed: undefined_file. */
const REMOVED = '58P01';

/** Options of {@link openPhysicalStream}. */
interface PhysicalStreamOptions {
  /** URL with a role that has the attribute REPLICATION. */
  url: string;
  applicationName: string;
  /**
   * Returns where to start, on each new connection. If it rejects, `onLost` reports the error, and the stream retries
   * unless the owner disconnects it.
   */
  prepare(client: pg.Client, system: SystemIdentity): Promise<PhysicalStart>;
  /** Interval of status updates in milliseconds; below the server's `wal_sender_timeout`. */
  statusEveryMs: number;
  /**
   * Called with contiguous parts of the log. The bytes are valid until the call returns. An error thrown by it ends the
   * connection.
   */
  onData: (start: Lsn, bytes: Buffer) => void;
  /**
   * Time in milliseconds for which the server writes its log without this stream, whenever all of it was received. On a busy
   * server, each transaction would wake two processes otherwise. Default: log is read as it is written.
   */
  restMs?: number;
  onStreaming?: () => void;
  /** Called if a connection was lost or could not be opened; the next one opens after `pauseMs`. */
  onLost: (error: Error, pauseMs: number) => void;
}

/** Opens the stream. Does not throw: `onLost` reports why there is no connection. */
export function openPhysicalStream(options: PhysicalStreamOptions): ReplicationStream {
  const { url, applicationName, prepare, statusEveryMs, restMs, onData, onStreaming, onLost } = options;
  let start: PhysicalStart | undefined;
  /** The end of the received log. */
  let received: Lsn = 0n;
  return new ReplicationStream({
    source: {
      createClient: () => createReplicationClient(url, applicationName, {}),
      async start(client) {
        start = await prepare(client, await identifySystem(client));
        received = start.from;
        await startPhysicalReplication(client, start);
      },
      ...(restMs !== undefined && {
        rest: {
          ms: restMs,
          async restart(client) {
            if (start) await startPhysicalReplication(client, { ...start, from: received });
          },
        },
      }),
    },
    statusEveryMs,
    onOpening: () => {},
    onData(data, message) {
      const from = readWalStart(message);
      if (from !== received) {
        const [sent, wanted] = [formatLsn(from), formatLsn(received)];
        throw new Error(`the server sent the log from ${sent} on instead of ${wanted}`);
      }
      received = from + BigInt(data.length);
      onData(from, data);
    },
    onIdle: () => {},
    onStreaming: () => onStreaming?.(),
    onLost,
  });
}

/** Whether a stream was lost because the server has already removed the requested log. */
export function isLogRemoved(error: Error): boolean {
  return (error as Error & { code?: string }).code === REMOVED;
}
