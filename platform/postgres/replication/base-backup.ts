/**
 * A base backup: the files of a running cluster, read through the server. The files alone are no consistent state; the log
 * from the start to the stop position makes them one.
 */
import type pg from 'pg';
import { quoteLiteral } from '../identifier.ts';
import { type BackupPosition, BaseBackupQuery, submit } from './base-backup-query.ts';
import { BoundedQueue } from './bounded-queue.ts';
import { createReplicationClient } from './client.ts';
import type { TarBlock } from './tar-reader.ts';

/** Bytes that the queue holds before the server has to wait. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
/** A block without content counts as this many bytes of the queue. */
const ITEM_BYTES = 512;
const TABLESPACES = 'pg_tblspc';
/** SQLSTATE data_corrupted. */
const CORRUPTED = 'XX001';
const CHECKSUM_FAILURE = /^checksum verification failed in file "(?:\.\/)?([^"]+)", block (\d+)/;

/** Files of the cluster have checksums that do not match their content. */
export class DamagedClusterError extends Error {
  override readonly name = 'DamagedClusterError';
  /** Paths relative to the cluster. */
  readonly files: readonly string[];

  constructor(failures: ReadonlyMap<string, readonly number[]>, options: { cause: Error }) {
    const list = [...failures].map(([file, blocks]) => `${file} (block ${blocks.join(', ')})`);
    const names = list.length === 0 ? 'files that the log of PostgreSQL names' : list.join(', ');
    super(
      `the backup failed, because the database is damaged: wrong checksums in ${names}. Restore an earlier backup, or repair these tables.`,
      options,
    );
    this.files = [...failures.keys()];
  }
}

/** Options of {@link startBaseBackup}. */
interface BaseBackupOptions {
  /** URL with a role that has the attribute REPLICATION. */
  url: string;
  /** Name that the server logs and writes into `backup_label`. */
  label: string;
  /** Called with the id of the server's process that reads the files. */
  onProcess?: ((pid: number) => void) | undefined;
  /** Called with the bytes that the server has read, and its estimate of all bytes. */
  onProgress?: (bytes: number, estimatedBytes: number | undefined) => void;
}

/** A backup that has started. */
interface BaseBackup {
  readonly start: BackupPosition;
  /**
   * Returns the files, folders and links in blocks; those of tablespaces are in `pg_tblspc/<oid>`, which is a folder here.
   * Throws a {@link DamagedClusterError} for wrong checksums. To be called once; a caller that stops ends the backup.
   */
  blocks(): AsyncGenerator<TarBlock, void>;
  /** Returns the position that the log is needed up to. Throws before the end of the blocks. */
  stop(): BackupPosition;
}

/** Starts a backup. Resolves when the server sends files, after its checkpoint. */
export async function startBaseBackup(options: BaseBackupOptions): Promise<BaseBackup> {
  const { url, label, onProcess, onProgress } = options;
  // Checksum failures are warnings, which a setting of the role could suppress.
  const client = createReplicationClient(url, 'greenroom backup', { client_min_messages: 'warning' });
  client.on('error', () => undefined);
  const failures = new Map<string, number[]>();
  client.on('notice', ({ message = '' }) => {
    const [, file, block] = CHECKSUM_FAILURE.exec(message) ?? [];
    if (file !== undefined) failures.set(file, [...(failures.get(file) ?? []), Number(block)]);
  });
  const { socket, destroy } = wireOf(client);
  const queue = new BoundedQueue<TarBlock>({
    maxBytes: MAX_QUEUED_BYTES,
    onFull: () => socket().pause(),
    onDrained: () => socket().resume(),
  });
  const started = Promise.withResolvers<BackupPosition>();
  let stop: BackupPosition | undefined;
  let estimated: number | undefined;
  const query = new BaseBackupQuery(
    `BASE_BACKUP (LABEL ${quoteLiteral(label)}, CHECKPOINT 'fast', PROGRESS, WAL false, WAIT false, MANIFEST 'no')`,
    {
      onStart: started.resolve,
      onSize: (bytes) => {
        estimated = bytes;
      },
      onBlock: (block, tablespace) => {
        const placed = tablespace === undefined ? asFolder(block) : inTablespace(block, tablespace);
        queue.push(placed, ITEM_BYTES + block.bytes.length);
      },
      onProgress: (bytes) => onProgress?.(bytes, estimated),
      onStop: (position) => {
        stop = position;
      },
      onEnd: () => queue.end(),
      onError: (error) => {
        const isDamaged = failures.size > 0 || (error as { code?: string }).code === CORRUPTED;
        const reason = isDamaged ? new DamagedClusterError(failures, { cause: error }) : error;
        started.reject(reason);
        queue.end(reason);
      },
    },
  );
  try {
    await client.connect();
    onProcess?.((client as unknown as { processID: number }).processID);
    submit(client, query);
    const start = await started.promise;
    return { start, blocks, stop: requireStop };
  } catch (error) {
    destroy();
    throw error;
  }

  function requireStop(): BackupPosition {
    if (stop === undefined) throw new Error('the backup has not reached its end');
    return stop;
  }

  async function* blocks(): AsyncGenerator<TarBlock, void> {
    try {
      yield* queue.items();
      requireStop();
      await client.end();
    } finally {
      destroy();
    }
  }
}

/** A tablespace is a link to a folder outside of the cluster; its files are a part of the backup. */
function asFolder(block: TarBlock): TarBlock {
  const { entry } = block;
  if (entry.type !== 'link' || !entry.path.startsWith(`${TABLESPACES}/`)) return block;
  return { ...block, entry: { ...entry, type: 'directory', mode: 0o700, target: '' } };
}

function inTablespace(block: TarBlock, oid: string): TarBlock {
  const { entry } = block;
  const path = entry.path === '' ? `${TABLESPACES}/${oid}` : `${TABLESPACES}/${oid}/${entry.path}`;
  return { ...block, entry: { ...entry, path } };
}

/** pg has no public access to its socket. */
function wireOf(client: pg.Client): {
  socket: () => { pause(): void; resume(): void };
  destroy: () => void;
} {
  const { connection } = client as unknown as {
    connection: { stream: { pause(): void; resume(): void; destroy(): void } };
  };
  return { socket: () => connection.stream, destroy: () => connection.stream.destroy() };
}
