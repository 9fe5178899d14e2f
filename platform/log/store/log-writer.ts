/** Writes lines to segments in batches, without waiting for the disk. */
import { redactKept } from '../redact.ts';
import { createLineQueue } from './line-queue.ts';
import { openSegmentOutput, type SegmentOutput } from './segment-output.ts';

/** How long lines wait for others. At most the lines of this time are missing after the process was killed. */
const FLUSH_MS = 250;
/** How long the writer waits after an error of the disk. */
const RETRY_MS = 2000;
const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;
/** A log is removed in parts of this share. */
const SEGMENTS = 16;

/** A batch of lines that has been written. */
export interface WrittenLines {
  segment: number;
  /** Offset of the first line. */
  offset: number;
  lines: readonly string[];
}

/** Options of {@link createLogWriter}. */
interface LogWriterOptions {
  /** Maximum size of all segments. */
  keepBytes: number;
  onWritten?: (written: WrittenLines) => void;
  /** Reports that lines cannot be written; called once until they can be written again. */
  onError?: (error: Error) => void;
}

/** A writer. */
interface LogWriter {
  /** Stores a line that ends with a line break. */
  append(line: string): void;
  /** Begins to write to a folder, which is created if it is missing. Lines before this are kept in memory. */
  open(folder: string): Promise<void>;
  /** Resolves when all lines so far are written or dropped. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a writer. */
export function createLogWriter({ keepBytes, onWritten, onError }: LogWriterOptions): LogWriter {
  const segmentBytes = Math.min(MAX_SEGMENT_BYTES, Math.ceil(keepBytes / SEGMENTS));
  const queue = createLineQueue();
  let output: SegmentOutput | undefined;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function schedule(): void {
    if (timer !== undefined || writing !== undefined || output === undefined || queue.isEmpty()) return;
    timer = setTimeout(start, hasFailed ? RETRY_MS : FLUSH_MS).unref();
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (output === undefined) return;
    writing = writeAll(output).finally(() => {
      writing = undefined;
      schedule();
    });
  }

  async function writeAll(to: SegmentOutput): Promise<void> {
    while (!queue.isEmpty()) {
      const lines = queue.take(segmentBytes).map(redactKept);
      try {
        const place = await to.append(Buffer.from(lines.join('')));
        hasFailed = false;
        onWritten?.({ ...place, lines });
      } catch (error) {
        queue.dropTaken();
        if (!hasFailed) onError?.(error as Error);
        hasFailed = true;
        return;
      }
    }
  }

  async function flush(): Promise<void> {
    await writing;
    start();
    await writing;
  }

  /** The process ends without `close`, for example because of an error: its last lines matter most. */
  function writeAtExit(): void {
    try {
      output?.appendSync(queue.take(Number.POSITIVE_INFINITY).map(redactKept).join(''));
    } catch {
      // There is no further place to report it.
    }
  }

  return {
    append(line) {
      queue.add(line);
      schedule();
    },
    async open(folder) {
      output = await openSegmentOutput(folder, { segmentBytes, keepBytes });
      process.on('exit', writeAtExit);
      schedule();
    },
    flush,
    async close() {
      await flush();
      process.off('exit', writeAtExit);
      await output?.close();
      output = undefined;
    },
  };
}
