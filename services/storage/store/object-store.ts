/**
 * Where the content of objects is kept. A store knows nothing of who may do what, and a row of storage.objects decides
 * which content is whose: content is named by the version of its row, written once, and never changed afterwards.
 */
import type { Readable } from 'node:stream';
import type { ReadTurn } from './read-turns.ts';

/** Names content. Bucket and key are for people who look into a store; the version alone tells two apart. */
export interface ContentName {
  bucket: string;
  key: string;
  /** A UUID. */
  version: string;
}

/** What a store says about content that it has. */
export interface ContentFacts {
  /** Bytes. */
  size: number;
  /** In quotes, as in the header: MD5 in hexadecimal, or one of S3's for content in parts. */
  eTag: string;
  lastModified: Date;
}

/** Of a write. */
export interface WriteOptions {
  /** More bytes than this end it with EntityTooLarge. */
  maxBytes: number;
  /** How many bytes come, where that is known: a store may make sure that there is room for them. */
  bytes?: number | undefined;
  contentType: string;
  cacheControl: string;
  /** Breaks it off; nothing of it stays. */
  signal?: AbortSignal;
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A store. What it rejects with is of the catalogue where a client is to blame; content that is not there is NoSuchKey. */
export interface ObjectStore {
  /** Where the content is, for messages to operators: a folder, or a bucket and its server. */
  readonly place: string;
  /** The id of the instance that the store belongs to; undefined before one has written it. */
  readInstanceId(signal?: AbortSignal): Promise<string | undefined>;
  /** Replaces the id in one step: readers see the old id or the new one. */
  writeInstanceId(id: string): Promise<void>;
  /** Whether the store has this content, in its place or in quarantine. */
  has(name: ContentName): Promise<boolean>;
  /** Content without a row, which is kept for some days before it is removed. */
  quarantine: Quarantine;
  /**
   * Resolves when the content is on stable storage under its name. Where it rejects, or the process is killed, there is
   * nothing under that name. Content is destroyed where `signal` breaks the write off, and otherwise left as it is.
   */
  write(name: ContentName, content: Readable, options: WriteOptions): Promise<ContentFacts>;
  /**
   * The stream has begun when this resolves: content that is not there is known by then. Content in quarantine is read
   * from there. A store on this machine reads each chunk but the first in a turn of the reader, if `turn` is given.
   */
  read(name: ContentName, range?: ByteRange, turn?: ReadTurn): Promise<Readable>;
  facts(name: ContentName): Promise<ContentFacts>;
  /** The same content under another name; costs no copy of bytes where the store can do without. */
  copy(from: ContentName, to: ContentName): Promise<void>;
  /** Content that is not there counts as removed. */
  remove(names: readonly ContentName[]): Promise<void>;
  /** Begins content that comes in parts, e.g. of the S3 protocol. */
  beginParts(name: ContentName, options: Omit<WriteOptions, 'maxBytes' | 'bytes'>): Promise<string>;
  /** Writes a part, again if need be. Resolves when it is on stable storage. */
  writePart(part: PartName, content: Readable, options: PartOptions): Promise<ContentFacts>;
  /** Puts the named parts together, in their order. The upload is over then. */
  completeParts(upload: PartsName, parts: readonly CompletedPart[]): Promise<ContentFacts>;
  /** Removes an upload and its parts; one that is not there counts as removed. */
  abortParts(upload: PartsName): Promise<void>;
  /**
   * All content that is older than `before`, and uploads in parts, in portions. Content in quarantine is left out; an
   * upload in parts that stays in its place while it is quarantined may be listed.
   */
  list(before: Date): AsyncIterable<StoredContent[]>;
  /** Undefined where content cannot grow, but only come in parts. */
  growing?: GrowingContent;
  close(): Promise<void>;
}

/** Content that comes bit by bit, and is there under its name when it is finished. `remove` removes it, too. */
export interface GrowingContent {
  /** Puts bytes at a place, and drops what was behind it. Resolves when they are on stable storage. */
  append(name: ContentName, at: number, bytes: Buffer): Promise<void>;
  /** Calling it again is the same. */
  finish(name: ContentName): Promise<Omit<ContentFacts, 'eTag'>>;
}

/** An upload in parts. */
export interface PartsName extends ContentName {
  uploadId: string;
}

/** One of its parts, counted from 1. */
export interface PartName extends PartsName {
  partNumber: number;
}

/** A part that belongs to the content. */
export interface CompletedPart {
  partNumber: number;
  eTag: string;
}

/** Of a write of a part. */
export interface PartOptions {
  maxBytes: number;
  /** How many bytes come, where that is known: a store that must know it need not keep the part until it is whole. */
  bytes?: number | undefined;
  signal?: AbortSignal;
}

/** What a sweep finds. */
export type StoredContent = { kind: 'content'; name: ContentName } | { kind: 'parts'; upload: PartsName };

/** Content and uploads in parts without a row. The content can be read, but {@link ObjectStore.list} leaves it out. */
export interface Quarantine {
  /** Moves content here under a date. What is not there any more is left out. Returns how many were moved. */
  put(found: readonly StoredContent[], date: Date): Promise<number>;
  /** All of it, in portions. */
  list(): AsyncIterable<Quarantined[]>;
  /** Moves content back to its place. */
  restore(held: readonly Quarantined[]): Promise<void>;
  /** Removes content for good. */
  remove(held: readonly Quarantined[]): Promise<void>;
}

/** Content in quarantine. */
export interface Quarantined {
  kind: StoredContent['kind'];
  version: string;
  /** The beginning of the day (UTC) on which it was moved. */
  since: Date;
  /** Where the store keeps it. Only the store reads it. */
  at: string;
}
