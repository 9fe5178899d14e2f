/**
 * Modules of the network that functions import by URL, and what stands for them without a network: npm packages, and
 * modules of our own.
 */

/** The replacement of a specifier. */
type Replacement =
  /** A npm package, e.g. name `zod`, range `4`, subpath `/v4`. */
  | { kind: 'npm'; name: string; range: string; subpath: string }
  /** A module of the folder `provided`. */
  | { kind: 'provided'; file: 'serve.ts' | 'empty.ts' | 'cors.ts' };

const NPM = /^npm:\/?(?<name>(?:@[^/@]+\/)?[^/@]+)(?:@(?<range>[^/]+))?(?<subpath>\/.*)?$/;
const ESM_SH =
  /^https:\/\/esm\.sh\/(?:v\d+\/|stable\/)?(?<name>(?:@[^/@?]+\/)?[^/@?]+)(?:@(?<range>[^/?]+))?(?<subpath>\/[^?]*)?(?:\?.*)?$/;
const SUPABASE_JSR = /^jsr:\/?@supabase\/supabase-js(?:@(?<range>[^/]+))?$/;
const EDGE_RUNTIME =
  /^(?:jsr:\/?@supabase\/functions-js(?:@[^/]+)?\/edge-runtime\.d\.ts|https:\/\/esm\.sh\/@supabase\/functions-js(?:@[^/]+)?\/.*edge-runtime\.d\.ts)$/;
const STD_SERVE =
  /^(?:https:\/\/deno\.land\/std(?:@[^/]+)?\/http\/server\.ts|jsr:\/?@std\/http(?:@[^/]+)?\/server)$/;
/** Modules that npm has under the same versions. */
const DENO_LAND = /^https:\/\/deno\.land\/x\/(?<name>zod)@v(?<range>\d[^/]*)\/(?:mod|index)\.ts$/;
const SUPABASE_FUNCTIONS = /^jsr:\/?@supabase\/functions-js(?:@(?<range>[^/]+))?$/;
const XHR = /^https:\/\/deno\.land\/x\/xhr(?:@[^/]+)?\/mod\.ts$/;

/** Returns what stands for a specifier; undefined if the network is needed. */
export function replacementOf(specifier: string): Replacement | undefined {
  if (EDGE_RUNTIME.test(specifier) || XHR.test(specifier)) return { kind: 'provided', file: 'empty.ts' };
  if (STD_SERVE.test(specifier)) return { kind: 'provided', file: 'serve.ts' };
  const supabase = SUPABASE_JSR.exec(specifier);
  if (supabase) return npm('@supabase/supabase-js', supabase.groups?.range, undefined);
  const functions = SUPABASE_FUNCTIONS.exec(specifier);
  if (functions) return npm('@supabase/functions-js', functions.groups?.range, undefined);
  const found = NPM.exec(specifier) ?? ESM_SH.exec(specifier) ?? DENO_LAND.exec(specifier);
  const { name, range, subpath } = found?.groups ?? {};
  return name === undefined ? undefined : npm(name, range, subpath);
}

function npm(name: string, range = '*', subpath = ''): Replacement {
  return { kind: 'npm', name, range, subpath: subpath === '/' ? '' : subpath };
}
