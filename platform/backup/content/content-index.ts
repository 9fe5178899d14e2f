/** The index of a backup's content: one line for each object, in 256 parts by the first two digits of their versions. */
import { z } from 'zod';
import type { Piece } from '../archive/chunks/chunk-reader.ts';
import { chunkIdSchema, haveSize, piecesSchema } from '../archive/chunks/piece-schema.ts';

const VERSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PREFIX = 'content/';
const SHARD_DIGITS = 2;
/**
 * Most bytes of the JSON of metadata in an index. The storage service writes less; SQL may write any metadata, which only the backup of the database
 * contains.
 */
export const MAX_METADATA_BYTES = 16 * 1024;

const entrySchema = z
  .object({
    version: z.string().regex(VERSION),
    bucket: z.string(),
    key: z.string(),
    /** The column `metadata` of its row: size, type, ETag. Earlier versions wrote any length. */
    metadata: z.unknown().transform(shortMetadata),
    size: z.int().nonnegative(),
    /** As long as the id of a chunk. */
    sha256: chunkIdSchema,
    pieces: piecesSchema,
  })
  .refine(({ size, pieces }) => haveSize(pieces, size), 'its pieces have another size');

/** Returns null instead of long metadata, so that many entries have room in memory. */
function shortMetadata(metadata: unknown): unknown {
  return Buffer.byteLength(JSON.stringify(metadata) ?? '') > MAX_METADATA_BYTES ? null : metadata;
}

/** Content of an object in a backup. */
export interface ContentEntry {
  /** A UUID, which names the content. */
  version: string;
  bucket: string;
  key: string;
  /** The column `metadata` of its row; null if its JSON has more than {@link MAX_METADATA_BYTES}. */
  metadata?: unknown;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  pieces: readonly Piece[];
}

/** Checks a line of the index. Throws if it is invalid. */
export function parseContentEntry(value: unknown): ContentEntry {
  return entrySchema.parse(value);
}

/** Whether rows with this version have content: rows that were inserted by SQL may have other values. */
export function isContentVersion(version: string | null): version is string {
  return version !== null && VERSION.test(version);
}

/** Returns the name of the index that has a version, e.g. `content/3f`. */
export function contentIndexOf(version: string): string {
  return PREFIX + version.slice(0, SHARD_DIGITS);
}

/** Whether an index of a manifest has content. */
export function isContentIndex(name: string): boolean {
  return name.startsWith(PREFIX);
}
