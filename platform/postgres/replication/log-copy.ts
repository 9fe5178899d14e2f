/**
 * A copy of the log from a position that is determined later, for a backup that contains its log: a temporary slot keeps
 * the log from the beginning on.
 */
import { randomBytes } from 'node:crypto';
import { BoundedQueue } from './bounded-queue.ts';
import { createPhysicalSlot } from './commands.ts';
import { openPhysicalStream } from './physical-stream.ts';
import type { Lsn } from './wal-message.ts';

/** Bytes that wait for their reader before the server has to wait. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
const STATUS_EVERY_MS = 10_000;

/** A copy whose slot exists. */
export interface LogCopy {
  /** Returns contiguous parts of the log from a position on, until the caller stops. Throws if the connection is lost. */
  parts(from: Lsn): AsyncGenerator<Buffer, void>;
  close(): Promise<void>;
}

/** Resolves when the server keeps its log. @param url URL with a role that has the attribute REPLICATION */
export async function openLogCopy(url: string): Promise<LogCopy> {
  const slot = `greenroom_${randomBytes(8).toString('hex')}`;
  const kept = Promise.withResolvers<void>();
  const begin = Promise.withResolvers<Lsn>();
  const queue = new BoundedQueue<Buffer>({
    maxBytes: MAX_QUEUED_BYTES,
    onFull: () => stream.pause(),
    onDrained: () => stream.resume(),
  });
  const stream = openPhysicalStream({
    url,
    applicationName: 'greenroom backup, log',
    statusEveryMs: STATUS_EVERY_MS,
    async prepare(client, { timeline }) {
      await createPhysicalSlot(client, slot, { isTemporary: true });
      kept.resolve();
      return { slot, timeline, from: await begin.promise };
    },
    // A copy, because the bytes are valid only now.
    onData: (_, bytes) => queue.push(Buffer.from(bytes), bytes.length),
    onLost: (error) => {
      // The slot and the log that it kept are gone.
      stream.disconnect();
      kept.reject(error);
      queue.end(error);
    },
  });
  await kept.promise;
  return {
    parts(from) {
      begin.resolve(from);
      return queue.items();
    },
    close: () => stream.close(),
  };
}
