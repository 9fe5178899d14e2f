/** The suggestions of the log for modules that cannot be downloaded. */
import { expect, it } from 'vitest';
import { alternativeOf } from './alternatives.ts';

it.each([
  ['https://deno.land/x/postgres@v0.17.0/mod.ts', 'Functions do not reach the database of their instance'],
  ['https://deno.land/x/postgres/mod.ts', 'use npm:postgres, whose API differs'],
  ['jsr:@db/postgres@0.19', 'use npm:@supabase/supabase-js, with rpc'],
  ['https://deno.land/x/sift@0.6.0/mod.ts', 'Use Deno.serve and Response.json'],
  ['https://deno.land/x/deno_dom@v0.1.38/deno-dom-wasm.ts', 'DOMParser of npm:linkedom'],
  ['jsr:@b-fuze/deno-dom', 'DOMParser of npm:linkedom'],
  ['https://deno.land/x/postgrest@1/mod.ts', 'copy the module into supabase/functions/_shared'],
  ['https://deno.land/x/anything/mod.ts', 'that GREENROOM_FUNCTIONS_IMPORT_HOSTS names'],
  ['https://deno.land/x/zod@v3.22.4/mod.ts', 'npm install "zod@3.22.4"'],
])('%s has an alternative', (specifier, text) => {
  expect(alternativeOf(specifier)).toContain(text);
});
