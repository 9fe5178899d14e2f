/** Backs up a running cluster: its files, and for a backup that is complete without an archived log, the log as well. */
import {
  type BackupPosition,
  type LogCopy,
  openLogCopy,
  readServerIdentity,
  SEGMENT_BYTES,
  segmentName,
  segmentStart,
  startBaseBackup,
} from '@greenroom/postgres';
import { CHUNK_BYTES, type ChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { watchLogGrowth } from './log-growth.ts';
import { DatabaseWriter, type WrittenDatabase } from './write-database.ts';

/** PostgreSQL keeps at least 4 GB of log for a backup; from here on, a backup hurries. */
const MAX_LOG_BYTES = 1024 ** 3;
const LOG_CHECK_MS = 5000;

/** Options of {@link backupDatabase}. */
interface BackupDatabaseOptions {
  /** URL of the superuser. */
  url: string;
  label: string;
  /** Whether the backup contains the log that its files need, or the log is archived. */
  wal: 'contained' | 'archived';
  /** The limit of its rate ends when more log than `maxLogBytes` (1 GiB) has been written since the start. */
  writer: ChunkWriter;
  maxLogBytes?: number;
  /** Called with the id of the server's process that reads the files. */
  onProcess?: ((pid: number) => void) | undefined;
  /** Called with the bytes that the server has read, and its estimate of all bytes. */
  onProgress?: (bytes: number, estimatedBytes: number | undefined) => void;
  signal?: AbortSignal;
}

/** A stored database. */
export interface DatabaseBackup extends WrittenDatabase {
  systemId: string;
  timeline: number;
  /** Positions that the log is needed from and up to. */
  start: bigint;
  stop: bigint;
  /** A time of the server after `stop`: the first time that the backup can be recovered to. */
  stopTime: Date;
}

/**
 * Stores the files as chunks. Rejects with a DamagedClusterError if checksums of files are wrong, with the error of the
 * writer, of the connection or of the signal.
 */
export async function backupDatabase(options: BackupDatabaseOptions): Promise<DatabaseBackup> {
  const { url, label, wal, writer, maxLogBytes, onProcess, onProgress, signal } = options;
  signal?.throwIfAborted();
  const log = wal === 'contained' ? await openLogCopy(url) : undefined;
  try {
    const backup = await startBaseBackup({
      url,
      label,
      onProcess,
      ...(onProgress && { onProgress }),
    });
    const { start } = backup;
    const { pace } = writer;
    const growth =
      pace &&
      watchLogGrowth({
        url,
        from: start.lsn,
        maxBytes: maxLogBytes ?? MAX_LOG_BYTES,
        checkEveryMs: LOG_CHECK_MS,
        onExceeded: () => pace.lift(),
      });
    const files = new DatabaseWriter(writer);
    try {
      for await (const block of backup.blocks()) {
        signal?.throwIfAborted();
        await files.add(block);
      }
    } finally {
      growth?.stop();
    }
    const stop = backup.stop();
    const { systemId, time } = await readServerIdentity(url);
    if (log) await addLog(files, log, { start, stop });
    const written = await files.finish();
    const { timeline } = start;
    return { ...written, systemId, timeline, start: start.lsn, stop: stop.lsn, stopTime: time };
  } finally {
    await log?.close();
  }
}

/**
 * Adds the log from the start of a backup to its stop as whole segments, where PostgreSQL finds them. The server switches to
 * another segment at the stop, so the last one is complete.
 */
async function addLog(
  files: DatabaseWriter,
  log: LogCopy,
  { start, stop }: { start: BackupPosition; stop: BackupPosition },
): Promise<void> {
  const first = segmentStart(start.lsn);
  const end = segmentStart(stop.lsn - 1n) + BigInt(SEGMENT_BYTES);
  let position = first;
  let block = Buffer.alloc(CHUNK_BYTES);
  let blockBytes = 0;

  async function addBlock(): Promise<void> {
    const offset = Number((position - BigInt(blockBytes)) % BigInt(SEGMENT_BYTES));
    const path = `pg_wal/${segmentName(start.timeline, position - BigInt(blockBytes))}`;
    const entry = { path, type: 'file', mode: 0o600, size: SEGMENT_BYTES, target: '' } as const;
    await files.add({ entry, offset, bytes: block });
    block = Buffer.alloc(CHUNK_BYTES);
    blockBytes = 0;
  }

  async function append(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const copied = bytes.copy(block, blockBytes, from);
      from += copied;
      blockBytes += copied;
      position += BigInt(copied);
      if (blockBytes === CHUNK_BYTES) await addBlock();
    }
  }

  for await (const part of log.parts(first)) {
    const rest = end - position;
    await append(BigInt(part.length) > rest ? part.subarray(0, Number(rest)) : part);
    if (position === end) break;
  }
}
