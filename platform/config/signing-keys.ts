/** Configured keys that sign and verify tokens instead of the instance's own. */
import { z } from 'zod';
import { type SettingDetails, setting } from './setting.ts';

const jsonWebKey = z.looseObject({ kid: z.string().min(1), key_ops: z.array(z.string()).exactOptional() });
/** A JSON Web Key (RFC 7517) in its serialized form. Its consumer validates the rest of it. */
type JsonWebKey = z.output<typeof jsonWebKey>;

const jsonWebKeys = z.array(jsonWebKey).min(1).max(20).refine(hasOneSigner);

/** Exactly one key may sign; with two, the choice would be arbitrary. */
function hasOneSigner(keys: JsonWebKey[]): boolean {
  return keys.filter(isSigner).length === 1;
}

function isSigner({ key_ops: operations }: JsonWebKey): boolean {
  return operations?.includes('sign') ?? false;
}

/** Parses a JSON array of keys and puts the signing key first. Throws an `Error` that contains none of the text. */
export function parseSigningKeys(text: string): [JsonWebKey, ...JsonWebKey[]] {
  const parsed = jsonWebKeys.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new Error('must be a JSON array of keys with kid, exactly one of them with key_ops "sign"');
  }
  return parsed.data.toSorted((one, other) => Number(isSigner(other)) - Number(isSigner(one))) as [
    JsonWebKey,
    ...JsonWebKey[],
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Declares a setting that contains such an array. */
export function signingKeysSetting<const D extends string | undefined>(
  name: string,
  details: SettingDetails<D>,
) {
  const schema = z.string().transform((text, context) => {
    try {
      return parseSigningKeys(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });
  const allowed = 'a JSON array of JSON Web Keys, exactly one of them with key_ops "sign"';
  return setting(name, schema, allowed, { ...details, secret: true });
}
