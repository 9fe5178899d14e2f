import { z } from 'zod';

/** Schema for hooks without a result: they can only be notified or reject. All fields are ignored. */
export const emptyOutput = z.looseObject({});

/** `reject` rejects the request. A missing or empty decision means `continue`, as in GoTrue. */
export const decisionField = z.enum(['continue', 'reject', '']).nullish();

/** An optional text; a missing one becomes empty. */
export const messageField = z
  .string()
  .nullish()
  .transform((message) => message ?? '');
