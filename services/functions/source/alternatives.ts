/** Suggestions for modules that cannot be downloaded, addressed to the authors of functions. */
import { replacementOf } from './replacements.ts';

/** Modules for which npm has no package with the same API. */
const WITHOUT_PACKAGE: readonly (readonly [RegExp, text: string])[] = [
  [
    /^(?:https:\/\/deno\.land\/x\/postgres(?:@[^/]+)?\/|jsr:\/?@db\/postgres)/,
    'npm has no package with the same API. Functions do not reach the database of their instance: use npm:@supabase/supabase-js, with rpc for SQL. For another server, use npm:postgres, whose API differs',
  ],
  [
    /^https:\/\/deno\.land\/x\/sift(?:@[^/]+)?\//,
    'npm has no package with the same API; its package sift is unrelated. Use Deno.serve and Response.json instead',
  ],
  [
    /^(?:https:\/\/deno\.land\/x\/deno_dom(?:@[^/]+)?\/|jsr:\/?@b-fuze\/deno-dom)/,
    'npm has no package with the same API. Use DOMParser of npm:linkedom, whose API differs in parts',
  ],
];

const COPY =
  'copy the module into supabase/functions/_shared and import it by its path, or use a package of npm';
const MIRROR =
  'map it by an import map to a copy on a host that this machine reaches, and that GREENROOM_FUNCTIONS_IMPORT_HOSTS names';

/** Returns the suggestion for a module. */
export function alternativeOf(specifier: string): string {
  const replacement = replacementOf(specifier);
  if (replacement?.kind === 'npm') {
    const { name, range } = replacement;
    return `npm install ${range === '*' ? name : JSON.stringify(`${name}@${range}`)}`;
  }
  const text = WITHOUT_PACKAGE.find(([form]) => form.test(specifier))?.[1] ?? COPY;
  return specifier.startsWith('https:') ? `${text}. Or ${MIRROR}` : text;
}
