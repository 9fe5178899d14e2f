/** Mappings from an identity provider's attributes to claims. */
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

/** The source of a claim: the first attribute that matches by `Name` or `FriendlyName`, otherwise the default. */
export type MappedAttribute = Partial<z.output<typeof mappedAttribute>>;

/** Claim name → source. */
export interface AttributeMapping {
  keys?: Record<string, MappedAttribute> | null | undefined;
}

/** Schema of a mapping in admin requests. */
export const attributeMapping: z.ZodType<AttributeMapping> = z
  .object({ keys: z.record(z.string(), mappedAttribute).nullish() })
  .refine(({ keys }) => Object.keys(keys ?? {}).length <= MAX_KEYS)
  .refine((mapping) => Buffer.byteLength(JSON.stringify(mapping)) <= MAX_BYTES);
