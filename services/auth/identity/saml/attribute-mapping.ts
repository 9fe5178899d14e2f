/** Attribute mappings: which attributes of an identity provider become which claims. */
import { z } from 'zod';

const MAX_KEYS = 100;
const MAX_NAMES = 20;
const MAX_BYTES = 32 * 1024;

const mappedAttribute = z.object({
  name: z.string().nullish(),
  names: z.array(z.string()).max(MAX_NAMES).nullish(),
  default: z.unknown().optional(),
  array: z.boolean().nullish(),
});

/** Where a claim comes from: the first attribute that is there, by `Name` or `FriendlyName`, else the default. */
export type MappedAttribute = Partial<z.output<typeof mappedAttribute>>;

/** Claims by their names. */
export interface AttributeMapping {
  keys?: Record<string, MappedAttribute> | null | undefined;
}

/** As admins write them. */
export const attributeMapping: z.ZodType<AttributeMapping> = z
  .object({ keys: z.record(z.string(), mappedAttribute).nullish() })
  .refine(({ keys }) => Object.keys(keys ?? {}).length <= MAX_KEYS)
  .refine((mapping) => Buffer.byteLength(JSON.stringify(mapping)) <= MAX_BYTES);
