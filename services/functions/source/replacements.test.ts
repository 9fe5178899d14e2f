/** Which modules stand for those that functions import from the network. */
import { expect, it } from 'vitest';
import { replacementOf } from './replacements.ts';

it.each([
  ['npm:zod', 'zod@*'],
  ['npm:@supabase/supabase-js@2/cors', '@supabase/supabase-js@2/cors'],
  ['https://esm.sh/stripe@14.25.0?target=deno&no-check', 'stripe@14.25.0'],
  ['https://esm.sh/v135/*@supabase/postgrest-js@1.7.0', '@supabase/postgrest-js@1.7.0'],
  ['https://esm.sh/react@18.2.0/jsx-runtime', 'react@18.2.0/jsx-runtime'],
  ['https://esm.sh/jsr/@hono/hono@4/cors?bundle', 'hono@4/cors'],
  ['https://cdn.skypack.dev/tweetnacl@v1.0.3?dts', 'tweetnacl@1.0.3'],
  ['https://cdn.skypack.dev/@upstash/ratelimit@latest', '@upstash/ratelimit@latest'],
  ['https://cdn.jsdelivr.net/npm/date-fns@3/+esm', 'date-fns@3'],
  ['https://esm.run/@scure/base', '@scure/base@*'],
  ['https://unpkg.com/nanoid@5?module', 'nanoid@5'],
  ['jsr:@supabase/supabase-js@2', '@supabase/supabase-js@2'],
  ['jsr:@panva/jose@6', 'jose@6'],
  ['https://deno.land/x/grammy@v1.8.3/mod.ts', 'grammy@1.8.3'],
  ['https://deno.land/x/grammy@v1.17.2/mod.ts', 'grammy@1.17.2/web'],
  ['https://deno.land/x/grammy/mod.ts', 'grammy@*/web'],
  ['https://deno.land/x/grammy@v1.19.1/types.ts', 'grammy@1.19.1/types'],
  ['https://deno.land/x/hono@v4.0.0/middleware/cors/index.ts', 'hono@4.0.0/cors'],
  ['https://deno.land/x/oak@v11.1.0/mod.ts', '@oakserver/oak@12'],
  ['https://deno.land/x/postgresjs/mod.js', 'postgres@*'],
  ['https://deno.land/x/upstash_redis@v1.19.3/mod.ts', '@upstash/redis@1.19.3'],
])('%s is a npm package', (specifier, expected) => {
  const found = replacementOf(specifier);
  expect(found?.kind === 'npm' && `${found.name}@${found.range}${found.subpath}`).toBe(expected);
});

it.each([
  ['https://deno.land/std@0.168.0/http/server.ts', 'serve.ts'],
  ['https://deno.land/std/encoding/base64.ts', 'std/base64.ts'],
  ['jsr:@std/encoding@^1/base64url', 'std/base64url.ts'],
  ['jsr:@std/encoding', 'std/encoding.ts'],
  ['jsr:@std/crypto@1.0.3/timing-safe-equal', 'std/timing-safe-equal.ts'],
  ['jsr:@std/dotenv/load', 'empty.ts'],
  ['jsr:@std/semver@1.0.8', 'std/semver/mod.ts'],
  ['jsr:@supabase/functions-js@2/edge-runtime.d.ts', 'empty.ts'],
  ['https://deno.land/x/djwt@v2.8/mod.ts', 'djwt.ts'],
])('%s is provided', (specifier, file) => {
  expect(replacementOf(specifier)).toEqual({ kind: 'provided', file });
});

it('modules of Node.js in the former standard library are those of the runtime', () => {
  const specifier = 'https://deno.land/std@0.177.0/node/buffer.ts';
  expect(replacementOf(specifier)).toEqual({ kind: 'builtin', name: 'node:buffer' });
});

it.each([
  'https://example.com/module.ts',
  'https://esm.sh/gh/owner/repository@1.0.0',
  'https://cdn.jsdelivr.net/npm/d3@7/dist/d3.js',
  'https://cdn.jsdelivr.net/gh/owner/repository/module.js',
  'https://unpkg.com/react@18/umd/react.js',
  'https://deno.land/std@0.224.0/csv/mod.ts',
  'https://deno.land/x/djwt@v1.9/mod.ts',
  'https://deno.land/x/oak@v17.1.0/mod.ts',
  'jsr:@std/yaml',
  'jsr:@unknown/package',
])('%s comes from the network', (specifier) => {
  expect(replacementOf(specifier)).toBeUndefined();
});
