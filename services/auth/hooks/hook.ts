/** What a hook is: whom it is called for, and what it has to answer. */
import type { HookName } from '@greenroom/config';
import { z } from 'zod';

/** A hook. `calledAs` is what it reads of itself, GoTrue's name for it. */
export interface Hook<Output> {
  name: HookName;
  calledAs: string;
  output: z.ZodType<Output>;
}

/** Of hooks that are only told something, or can only refuse. Whatever is in it does not matter. */
export const emptyOutput = z.looseObject({});

/** `reject` refuses; nothing said is `continue`, as with GoTrue. */
export const decisionField = z.enum(['continue', 'reject', '']).nullish();

/** A text that may be missing. */
export const messageField = z
  .string()
  .nullish()
  .transform((message) => message ?? '');
