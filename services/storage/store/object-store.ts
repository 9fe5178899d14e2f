/**
 * The interface of stores that keep the content of objects. A store does not check permissions, and rows of
 * storage.objects assign content to objects: content is named by the version of its row, written once, and never
 * changed afterwards.
 */
import type { Readable } from 'node:stream';
import type { ReadLimiter } from './read-limits.ts';

/** The name of content. The version alone is unique; bucket and key help operators who inspect a store. */
export interface ContentName {
  bucket: string;
  key: string;
  /** A UUID. */
  version: string;
}

/** Metadata of stored content. */
export interface ContentStat {
  /** Bytes. */
  size: number;
  /** Includes the quotes. MD5 in hexadecimal, or a multipart ETag as in S3. */
  eTag: string;
  lastModified: Date;
}

/** Options of a write. */
export interface WriteOptions {
  /** The write fails with EntityTooLarge if it exceeds this number of bytes. */
  maxBytes: number;
  /** Number of bytes, if known: a store may check the free space for them in advance. */
  bytes?: number | undefined;
  contentType: string;
  cacheControl: string;
  /** Aborts the write, which leaves no content behind. */
  signal?: AbortSignal;
}

/** A byte range; `start` and `end` are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A content store. Errors that the client causes are errors of the catalogue; missing content is NoSuchKey. */
export interface ObjectStore {
  /** Location of the content in messages to operators: a folder, or a bucket and its server. */
  readonly location: string;
  /** Reads the id of the instance that the store belongs to; undefined if none has been written. */
  readInstanceId(signal?: AbortSignal): Promise<string | undefined>;
  /** Replaces the id atomically: readers see either the old or the new id. */
  writeInstanceId(id: string): Promise<void>;
  /** Whether the store has this content, also in quarantine. */
  has(name: ContentName): Promise<boolean>;
  /** Holds content without a row for some days before it is removed. */
  quarantine: Quarantine;
  /**
   * Writes content. Resolves when the content is on stable storage under its name. If it rejects or the process is
   * killed, no content exists under that name. If `signal` aborts the write, the stream is destroyed; after other
   * errors it is not.
   */
  write(name: ContentName, content: Readable, options: WriteOptions): Promise<ContentStat>;
  /**
   * Opens content for reading. Resolves with a stream whose first bytes are available, and rejects if the content does
   * not exist. Also finds content in quarantine. If `limiter` is given, a store on this machine reads each chunk except
   * the first within it.
   */
  read(name: ContentName, range?: ByteRange, limiter?: ReadLimiter): Promise<Readable>;
  stat(name: ContentName): Promise<ContentStat>;
  /** Copies content to another name, without copying the bytes if the store supports that. */
  copy(from: ContentName, to: ContentName): Promise<void>;
  /** Removes content. Missing content counts as removed. */
  remove(names: readonly ContentName[]): Promise<void>;
  /** Begins content that is uploaded in parts, e.g. by the S3 protocol. Returns the upload id. */
  beginParts(name: ContentName, options: Omit<WriteOptions, 'maxBytes' | 'bytes'>): Promise<string>;
  /** Writes or overwrites a part. Resolves when the part is on stable storage. */
  writePart(part: PartName, content: Readable, options: PartOptions): Promise<ContentStat>;
  /** Assembles the given parts in their order, and ends the upload. */
  completeParts(upload: PartsName, parts: readonly CompletedPart[]): Promise<ContentStat>;
  /** Removes an upload and its parts. A missing upload counts as removed. */
  abortParts(upload: PartsName): Promise<void>;
  /**
   * Lists all content and multipart uploads older than `before`, in batches. Excludes content in quarantine, but may
   * include a quarantined multipart upload that the store does not move.
   */
  list(before: Date): AsyncIterable<StoredContent[]>;
  /** Undefined if the store supports only uploads in parts. */
  growing?: GrowingContent;
  close(): Promise<void>;
}

/**
 * Content that is appended over several requests and is readable under its name when finished. `remove` removes it as
 * well.
 */
export interface GrowingContent {
  /** Writes bytes at offset `at` and truncates all bytes after them. Resolves when the bytes are on stable storage. */
  append(name: ContentName, at: number, bytes: Buffer): Promise<void>;
  /** Publishes the content under its name. Idempotent. */
  finish(name: ContentName): Promise<Omit<ContentStat, 'eTag'>>;
}

/** A multipart upload. */
export interface PartsName extends ContentName {
  uploadId: string;
}

/** A part of an upload; numbers start at 1. */
export interface PartName extends PartsName {
  partNumber: number;
}

/** A part that becomes part of the content. */
export interface CompletedPart {
  partNumber: number;
  eTag: string;
}

/** Options of writing a part. */
export interface PartOptions {
  maxBytes: number;
  /** Number of bytes, if known. Otherwise a store that needs the size in advance buffers the whole part. */
  bytes?: number | undefined;
  signal?: AbortSignal;
}

/** Stored content or a multipart upload, as a sweep lists it. */
export type StoredContent = { kind: 'content'; name: ContentName } | { kind: 'parts'; upload: PartsName };

/**
 * Content and multipart uploads without a row. Their content stays readable, but {@link ObjectStore.list} excludes it.
 */
export interface Quarantine {
  /**
   * Moves content to quarantine under a date, and skips content that no longer exists. Returns the number of moved
   * items.
   */
  put(found: readonly StoredContent[], date: Date): Promise<number>;
  /** Lists all quarantined content in batches. */
  list(): AsyncIterable<Quarantined[]>;
  /** Moves content back to its original place. */
  restore(items: readonly Quarantined[]): Promise<void>;
  /** Removes content permanently. */
  remove(items: readonly Quarantined[]): Promise<void>;
}

/** Quarantined content or a quarantined multipart upload. */
export interface Quarantined {
  kind: StoredContent['kind'];
  version: string;
  /** Start of the day (UTC) on which the content was moved. */
  since: Date;
  /** Location inside of the store, which only the store interprets. */
  at: string;
}
