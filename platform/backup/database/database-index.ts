/** The index of a backup's database: one line for each file and folder of the cluster. */
import { z } from 'zod';
import type { Piece } from '../archive/chunks/chunk-reader.ts';
import { haveSize, piecesSchema } from '../archive/chunks/piece-schema.ts';

/** A relative path that stays in the cluster. */
function isInside(path: string): boolean {
  return path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
}

const entrySchema = z
  .object({
    path: z.string().refine(isInside, 'it is no path in the cluster'),
    /** Permissions, e.g. 384 (0o600). */
    mode: z.int().nonnegative().max(0o7777),
    /** Bytes of a file; absent for a folder. */
    size: z.int().nonnegative().optional(),
    /** The content of a file in its order; absent for a folder. */
    pieces: piecesSchema.optional(),
  })
  .refine(
    ({ size, pieces }) => (pieces === undefined ? size === undefined : haveSize(pieces, size ?? -1)),
    'its pieces have another size',
  );

/** A file or, without `size` and `pieces`, a folder. */
export interface DatabaseEntry {
  path: string;
  mode: number;
  size?: number | undefined;
  pieces?: readonly Piece[] | undefined;
}

/** Checks a line of the index. Throws if it is invalid. */
export function parseDatabaseEntry(value: unknown): DatabaseEntry {
  return entrySchema.parse(value);
}
