/** Code exchanges with an access token hook over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HookServer, startHookServer } from '../testing/hook-server.ts';
import { exchange, getCode, newApp, startOAuthServer } from '../testing/oauth.ts';
import { claimsOf, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let hooks: HookServer;
let plain: Awaited<ReturnType<typeof startOAuthServer>>;
let server: Awaited<ReturnType<typeof startOAuthServer>>;
beforeAll(async () => {
  hooks = await startHookServer();
  plain = await startOAuthServer();
  server = await startOAuthServer(hooks.env('CUSTOM_ACCESS_TOKEN') as Record<string, string>, plain);
});
afterAll(async () => {
  await server.close();
  await plain.close();
  await hooks.close();
});

it('slow code exchanges leave connections for other requests', async () => {
  const ann = await signUpPerson(plain);
  const app = await newApp(plain);
  const codes = [];
  for (let index = 0; index < 13; index += 1)
    codes.push(await getCode(plain, app, await signUpPerson(plain)));
  const barrier = Promise.withResolvers<void>();
  hooks.reply = ({ body }) => ({ body: { claims: body.claims }, after: barrier.promise });
  const exchanges = codes.map((code) => exchange(server, app, code));
  await expect.poll(() => hooks.calls.length).toBeGreaterThanOrEqual(6);
  // Without a free connection, this would wait until the hook times out.
  const { status } = await send(server, { path: '/user', bearer: ann.accessToken });
  barrier.resolve();
  expect(status).toBe(200);
  for (const { status, text } of await Promise.all(exchanges)) expect(status, text).toBe(200);
});

it('a code exchange keeps client_id in the token if the hook omits it', async () => {
  const app = await newApp(plain);
  hooks.reply = ({ body }) => {
    const { client_id: _, ...claims } = body.claims as Record<string, unknown>;
    return { body: { claims } };
  };
  const { json } = await exchange(server, app, await getCode(plain, app, await signUpPerson(plain)));
  expect(claimsOf(json.access_token).client_id).toBe(app.id);
});
