/** The schema of pieces in indexes: which parts of which chunks a content consists of. */
import { z } from 'zod';

/** The id of a chunk, 64 hexadecimal digits. */
export const chunkIdSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** A part of a chunk: id, offset and length in bytes. */
const pieceSchema = z.tuple([chunkIdSchema, z.int().nonnegative(), z.int().nonnegative()]).readonly();

/** The pieces of a content, in their order. */
export const piecesSchema = z.array(pieceSchema);

/** Whether pieces have a size in bytes together. */
export function haveSize(pieces: z.infer<typeof piecesSchema>, size: number): boolean {
  return size === pieces.reduce((sum, [, , length]) => sum + length, 0);
}
