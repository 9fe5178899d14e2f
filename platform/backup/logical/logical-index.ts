/**
 * The index of a logical backup's database: one line for each part, in the order in which a restore applies them.
 */
import { z } from 'zod';
import { haveSize, piecesSchema } from '../archive/chunks/piece-schema.ts';

const stored = {
  /** Bytes of the content, which is that of the pieces in their order. */
  size: z.int().nonnegative(),
  pieces: piecesSchema,
};

const partSchema = z
  .discriminatedUnion('part', [
    /** JSON of `DatabaseRoles`. */
    z.object({ part: z.literal('roles'), ...stored }),
    /** SQL: definitions before and after the rows, the state of sequences, rights on large objects. */
    z.object({ part: z.enum(['pre-data', 'sequences', 'large-object-rights', 'post-data']), ...stored }),
    /** Rows in the text format of `copy`, in UTF-8. */
    z.object({
      part: z.literal('table'),
      schema: z.string(),
      name: z.string(),
      /** Empty for a table without columns. */
      columns: z.array(z.string()),
      rows: z.int().nonnegative(),
      /** The extension that the table belongs to. */
      extension: z.string().optional(),
      ...stored,
    }),
    /** The bytes of a large object. */
    z.object({ part: z.literal('large-object'), oid: z.int().positive(), ...stored }),
  ])
  .refine(({ size, pieces }) => haveSize(pieces, size), 'its pieces have another size');

/** A part of a database. */
export type LogicalPart = z.infer<typeof partSchema>;

/** The rows of a table. */
export type TablePart = Extract<LogicalPart, { part: 'table' }>;

/** Checks a line of the index. Throws if it is invalid. */
export function parseLogicalPart(value: unknown): LogicalPart {
  return partSchema.parse(value);
}
