/** How functions do without a module of the network. The texts are for their authors. */
import { replacementOf } from './replacements.ts';

/** Modules that projects use, and that no package of npm equals. */
const WITHOUT_EQUAL: readonly (readonly [RegExp, text: string])[] = [
  [
    /^(?:https:\/\/deno\.land\/x\/postgres(?:@[^/]+)?\/|jsr:\/?@db\/postgres)/,
    'npm has no package with the same API. Functions do not reach the database of their instance: use npm:@supabase/supabase-js, with rpc for SQL. For another server, use npm:postgres, whose API differs',
  ],
  [
    /^https:\/\/deno\.land\/x\/sift(?:@[^/]+)?\//,
    'npm has no package with the same API; its sift is another one. Use Deno.serve and Response.json instead',
  ],
  [
    /^(?:https:\/\/deno\.land\/x\/deno_dom(?:@[^/]+)?\/|jsr:\/?@b-fuze\/deno-dom)/,
    'npm has no package with the same API. Use DOMParser of npm:linkedom, whose API differs in parts',
  ],
];

const COPY =
  'copy the module into supabase/functions/_shared and import it by its path, or use a package of npm';
const MIRROR =
  'lead to it by an import map on a host that this machine reaches, which GREENROOM_FUNCTIONS_IMPORT_HOSTS must name';

/** Returns how a function does without the download of a module. */
export function alternativeOf(specifier: string): string {
  const replacement = replacementOf(specifier);
  if (replacement?.kind === 'npm') {
    const { name, range } = replacement;
    return `npm install ${range === '*' ? name : JSON.stringify(`${name}@${range}`)}`;
  }
  const text = WITHOUT_EQUAL.find(([form]) => form.test(specifier))?.[1] ?? COPY;
  return specifier.startsWith('https:') ? `${text}. Or ${MIRROR}` : text;
}
