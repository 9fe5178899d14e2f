/** The log that an instance keeps in its own files. */
import { parseLogLine } from '../log-entry.ts';
import { createLogWriter, type WrittenLines } from './log-writer.ts';
import { type FoundLine, type LogPage, searchSegments } from './search.ts';

/** A stored log. */
export interface LogStore {
  /** Stores a line that ends with a line break. Does not wait for the disk. */
  write(line: string): void;
  /** Begins to write to a folder. Lines before this are kept. */
  open(folder: string): Promise<void>;
  /** Searches the lines that are written; flushes before it, so that it finds all earlier lines. */
  search(options: Parameters<typeof searchSegments>[1]): Promise<LogPage>;
  /** Calls `listener` with new lines, oldest first. Returns the function that ends this. */
  subscribe(listener: (lines: readonly FoundLine[]) => void): () => void;
  close(): Promise<void>;
}

/** Options of {@link createLogStore}. */
interface LogStoreOptions {
  /** Maximum size of all files. */
  keepBytes: number;
  /** Reports that lines cannot be written. */
  onError?: (error: Error) => void;
}

/** Creates the store of a log. */
export function createLogStore({ keepBytes, onError }: LogStoreOptions): LogStore {
  const listeners = new Set<(lines: readonly FoundLine[]) => void>();
  let folder: string | undefined;
  const onWritten = (written: WrittenLines) => {
    if (listeners.size === 0) return;
    const lines = foundLines(written);
    for (const listener of listeners) listener(lines);
  };
  const writer = createLogWriter({ keepBytes, onWritten, ...(onError && { onError }) });
  return {
    write: writer.append,
    async open(path) {
      await writer.open(path);
      folder = path;
    },
    async search(options) {
      if (folder === undefined) return { lines: [], next: undefined, searchedTo: undefined };
      if (options.before === undefined) await writer.flush();
      return searchSegments(folder, options);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => writer.close(),
  };
}

function foundLines({ segment, offset, lines }: WrittenLines): FoundLine[] {
  let at = offset;
  return lines.map((line) => {
    const position = { segment, offset: at };
    at += Buffer.byteLength(line);
    return { ...parseLogLine(line.trimEnd()), position };
  });
}
