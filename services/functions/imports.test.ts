/** Modules that functions import from the network run without one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

/** Apart, because imports of tests are checked. */
const LAND = 'https://deno.land';
const JSR = 'jsr:';

const FILES = {
  'standard/index.ts': `
    import { decode, encode } from "${LAND}/std@0.168.0/encoding/base64.ts";
    import { encode as hexOf } from "${LAND}/std@0.168.0/encoding/hex.ts";
    import { crypto, toHashString } from "${LAND}/std@0.177.0/crypto/mod.ts";
    import { Buffer } from "${LAND}/std@0.177.0/node/buffer.ts";
    import { create, getNumericDate, verify } from "${LAND}/x/djwt@v2.8/mod.ts";
    import { decodeBase64Url, encodeHex } from "${JSR}@std/encoding@1";
    import { timingSafeEqual } from "${JSR}@std/crypto/timing-safe-equal";
    import { delay } from "${JSR}@std/async@1/delay";
    import { basename, fromFileUrl } from "${JSR}@std/path";
    import "${JSR}@std/dotenv/load";
    const bytes = (text) => new TextEncoder().encode(text);
    const failure = (run) => Promise.try(run).then(() => 'none', (error) => error.name + ': ' + error.message);
    Deno.serve(async () => {
      await delay(1);
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      const key = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
      const token = await create({ alg: 'HS256', typ: 'JWT' }, { sub: 'me', exp: getNumericDate(60) }, key);
      const late = await create({ alg: 'HS256' }, { exp: getNumericDate(-60) }, key);
      return Response.json({
        base64: [encode('Grüße'), encode(bytes('abc').buffer), new TextDecoder().decode(decode('R3LDvMOfZQ=='))],
        hex: [new TextDecoder().decode(hexOf(bytes('abc'))), encodeHex('abc')],
        base64url: [...decodeBase64Url('-_8')],
        md5: toHashString(await crypto.subtle.digest('MD5', bytes('abc'))),
        parts: toHashString(crypto.subtle.digestSync('SHA-256', [bytes('a'), bytes('bc')]), 'base64'),
        id: crypto.randomUUID().length,
        buffer: Buffer.from('abc').toString('base64'),
        equal: [timingSafeEqual(bytes('a'), bytes('a')), timingSafeEqual(bytes('a'), bytes('b'))],
        file: basename(fromFileUrl(import.meta.url)),
        claims: await verify(token, key).then(({ sub }) => sub),
        refused: [await failure(() => verify(late, key)), await failure(() => verify(token.slice(0, -3) + 'AAA', key))],
        invalid: [await failure(() => decode('*')), await failure(() => decodeBase64Url('+'))],
      });
    });`,
  'mapped/index.ts': `
    import { serve } from "std/http/server.ts";
    import { decodeJwt } from "tokens";
    import type { Context } from "${LAND}/x/unreachable/mod.ts";
    import type { Row } from "./rows.ts";
    serve((request: Request) => new Response(decodeJwt(request.headers.get('token') ?? '').sub));`,
  'mapped/deno.json': JSON.stringify({
    imports: { 'std/': `${LAND}/std@0.192.0/`, tokens: `${JSR}@panva/jose@6` },
  }),
  'lenient/index.ts': `
    import { join } from "path";
    import { name } from "../_shared/name";
    Deno.serve(() => new Response(join('a', name)));`,
  'project/index.ts': `
    import { word } from "words";
    Deno.serve(() => new Response(word));`,
  'without-slash/index.ts': `
    import { cors } from "hono/cors";
    Deno.serve(() => new Response(typeof cors));`,
  'without-slash/deno.json': JSON.stringify({ imports: { 'hono/': `${JSR}@hono/hono@^4/` } }),
  'with-slash/index.ts': `
    import { importJWK } from "jose/key/import";
    Deno.serve(() => new Response(typeof importJWK));`,
  'with-slash/deno.json': JSON.stringify({ imports: { 'jose/': `npm:/jose@6/` } }),
  'shared-mistake/index.ts': `
    import { value } from "../_shared/mistake.ts";
    Deno.serve(() => new Response(value));`,
  '_shared/mistake.ts': `// A comment.
export { value } from "not-mapped";`,
  'optional/index.ts': `
    const found = await import("not-mapped").then(() => 'found', () => 'missing');
    Deno.serve(() => new Response(found));`,
  '../deno.json': JSON.stringify({ imports: { words: './words.ts' } }),
  '../words.ts': 'export const word = "of the project";',
  '../other-words.ts': 'export const word = "changed";',
  '_shared/name.ts': "export const name = 'shared';",
  'node/index.ts': `
    import { createServer } from "node:http";
    createServer((request, response) => {
      console.log('called');
      response.setHeader('x-method', request.method);
      request.on('data', (chunk) => response.write('got ' + chunk));
      request.on('end', () => response.end(JSON.stringify([request.url, Object.keys(request.headers).filter((name) => name.startsWith('x-'))])));
    }).listen(3000, () => console.log('listening'));`,
};

let server: FunctionsServer;

beforeAll(async () => {
  server = await FunctionsServer.open({ files: FILES });
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

it('modules of the standard library that functions import by URL are provided', async () => {
  const response = await server.call('standard');
  expect(await response.json()).toEqual({
    base64: ['R3LDvMOfZQ==', 'YWJj', 'Grüße'],
    hex: ['616263', '616263'],
    base64url: [251, 255],
    md5: '900150983cd24fb0d6963f7d28e17f72',
    parts: 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=',
    id: 36,
    buffer: 'YWJj',
    equal: [true, false],
    file: 'index.ts',
    claims: 'me',
    refused: ['RangeError: The token is expired.', 'Error: The signature of the token does not match.'],
    invalid: [expect.stringContaining('Error'), 'TypeError: the text is not valid Base64 for URLs'],
  });
});

it('an import map may lead to replaced modules by a prefix, and types alone need no module', async () => {
  const token = `e30.${Buffer.from('{"sub":"ada"}').toString('base64url')}.`;
  const response = await server.call('mapped', { headers: { token } });
  expect([response.status, await response.text()]).toEqual([200, 'ada']);
});

it('supabase/deno.json applies to functions without an import map, and its changes are served', async () => {
  expect(await (await server.call('project')).text()).toBe('of the project');
  await server.write('../deno.json', '{ "imports": { "words": "./other-words.ts" } }');
  await expect.poll(async () => (await server.call('project')).text()).toBe('changed');
});

it('imports of files need no extension, and those of modules of Node.js no prefix', async () => {
  expect(await (await server.call('lenient')).text()).toBe('a/shared');
});

it('a server of node:http serves the requests of its function, whatever port it listens on', async () => {
  const response = await server.call('node/a?x=1', {
    method: 'PUT',
    body: 'text',
    headers: { 'x-own': '1' },
  });
  expect(response.headers.get('x-method')).toBe('PUT');
  expect(await response.text()).toBe('got text["/node/a?x=1",["x-own","x-forwarded-for"]]');
  await expect.poll(() => server.logOf('node')).toEqual(['listening', 'called']);
  const { reqId } = server.lines.find(({ msg }) => msg === 'called') ?? {};
  expect(reqId).toBe(response.headers.get('x-request-id'));
});

it.each([
  [
    'without-slash',
    'Failed to resolve the specifier "hono/cors" as its after-prefix portion "cors" could not be URL-parsed relative to the URL prefix "jsr:@hono/hono@^4/" mapped to by the prefix "hono/"\n' +
      '    at without-slash/index.ts:2:26\n' +
      'In the import map, write a slash after the scheme: "hono/": "jsr:/@hono/hono@^4/"',
  ],
  [
    'shared-mistake',
    expect.stringMatching(
      /^.*"not-mapped".*\n {4}at _shared\/mistake\.ts:2:23\nImport npm:not-mapped for the package of npm, or add "not-mapped" to the import map\.$/,
    ),
  ],
])(
  'an import of %s that leads to no module is reported with its place, and not as a download',
  async (name, reason) => {
    const response = await server.call(name);
    expect([response.status, response.headers.get('sb-error-code')]).toEqual([503, 'BOOT_ERROR']);
    expect(server.lastFailure()).toEqual(reason);
    expect(
      server.lines.map(({ msg }) => msg).filter((msg) => msg.includes(`function ${name} downloads`)),
    ).toEqual([]);
  },
);

it('a prefix of an import map leads to a package with a slash after the scheme', async () => {
  expect(await (await server.call('with-slash')).text()).toBe('function');
});

it('a function starts without a module that it imports by import() only', async () => {
  expect(await (await server.call('optional')).text()).toBe('missing');
});
