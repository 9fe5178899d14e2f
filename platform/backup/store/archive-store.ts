/** The contract of a place that holds an archive: a folder, an S3 bucket, or one file. */

/** Most bytes of a value. A piece of the log has at most 16 MiB; a list of references has 32 bytes for each chunk. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024;

/** A value of a store. */
export interface StoredValue {
  name: string;
  /** Bytes. */
  size: number;
  /** Time of the last `put`, by the clock of the place. */
  modified: Date;
}

/**
 * A place of an archive: values under names. A name is a relative path whose parts consist of `A-Z a-z 0-9 . _ -`, see
 * `requireName`. All functions reject with an `ArchiveError`; implementations retry transient errors first.
 */
export interface ArchiveStore {
  /** Stores whose puts are visible at once (`folder`, `s3`), or only after `commit` (`file`). */
  readonly kind: 'folder' | 's3' | 'file';
  /** Describes the place in messages; contains no secrets. */
  readonly location: string;
  /** The absolute path of a folder or file; undefined for a bucket. */
  readonly path?: string;
  /** Writes or replaces a value. Other readers see the old value or the new one; durable when resolved. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Like `put`, but the value is visible and durable only when a later `flush` has resolved. Much faster for many values
   * in a folder. If the process ends before, the value does not exist.
   */
  putLater(name: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when all values of `putLater` are visible and durable. */
  flush(): Promise<void>;
  /** Writes a value only if the name is free; returns whether it was. Only one of several concurrent calls returns true. */
  putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Reads a value; rejects with kind `missing` if the name is free. */
  get(name: string): Promise<Buffer>;
  /** Lists the values whose names start with `prefix`, in batches. Not every S3 store sorts them. */
  list(prefix: string): AsyncIterable<readonly StoredValue[]>;
  /** Removes values. Names that are free count as removed. */
  remove(names: readonly string[]): Promise<void>;
  /** Removes temporary files that killed processes left before a time. */
  removeAbandoned(before: Date): Promise<void>;
  /** Called once after the last put of a backup. A file appears under its name; other stores have nothing to do. */
  commit(): Promise<void>;
  close(): Promise<void>;
}
