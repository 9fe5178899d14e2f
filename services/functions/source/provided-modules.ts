/** Modules of the network for which the bootstrap has a module of its own, in the folder `provided`. */

/** Modules without an effect at run time: types, and what Deno has built in since. */
const EMPTY = [
  /^jsr:\/?@supabase\/functions-js(?:@[^/]+)?\/edge-runtime\.d\.ts$/,
  /^https:\/\/esm\.sh\/@supabase\/functions-js(?:@[^/]+)?\/.*edge-runtime\.d\.ts$/,
  /^https:\/\/deno\.land\/x\/xhr(?:@[^/]+)?\/mod\.ts$/,
  // Secrets are in the environment already, and the copy of a function has no `.env`.
  /^https:\/\/deno\.land\/x\/dotenv(?:@[^/]+)?\/load\.ts$/,
];

/** Versions of djwt whose keys are a `CryptoKey`. */
const DJWT = /^https:\/\/deno\.land\/x\/djwt(?:@v(?:2\.[3-9]|3\.)[^/]*)?\/mod\.ts$/;

const STD_LAND = /^https:\/\/deno\.land\/std(?:@[^/]+)?\/(?<path>.+)\.ts$/;
const STD_JSR = /^jsr:\/?@std\/(?<name>[^/@]+)(?:@[^/]+)?(?<subpath>\/.+)?$/;

/** Modules of Deno's standard library by their path, e.g. `encoding/base64`; `mod` is the whole of a part. */
const STD: Readonly<Record<string, string>> = {
  'async/delay': 'std/delay.ts',
  'crypto/crypto': 'std/crypto.ts',
  'crypto/mod': 'std/crypto.ts',
  'crypto/timing_safe_equal': 'std/timing-safe-equal.ts',
  'dotenv/load': 'empty.ts',
  'encoding/base64': 'std/base64.ts',
  'encoding/base64url': 'std/base64url.ts',
  'encoding/hex': 'std/hex.ts',
  'encoding/mod': 'std/encoding.ts',
  'http/server': 'serve.ts',
  'path/mod': 'std/path.ts',
  'semver/mod': 'std/semver/mod.ts',
};

/** Returns the file in `provided`; undefined if there is none. */
export function providedModuleOf(specifier: string): string | undefined {
  if (EMPTY.some((form) => form.test(specifier))) return 'empty.ts';
  if (DJWT.test(specifier)) return 'djwt.ts';
  const land = STD_LAND.exec(specifier)?.groups;
  if (land?.path !== undefined) return STD[land.path];
  const jsr = STD_JSR.exec(specifier)?.groups;
  if (jsr?.name === undefined) return undefined;
  return STD[`${jsr.name}${(jsr.subpath ?? '/mod').replaceAll('-', '_')}`];
}
