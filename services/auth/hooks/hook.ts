import { z } from 'zod';

/** Of hooks that are only told something, or can only refuse. Whatever is in it does not matter. */
export const emptyOutput = z.looseObject({});

/** `reject` refuses; nothing said is `continue`, as with GoTrue. */
export const decisionField = z.enum(['continue', 'reject', '']).nullish();

/** A text that may be missing. */
export const messageField = z
  .string()
  .nullish()
  .transform((message) => message ?? '');
