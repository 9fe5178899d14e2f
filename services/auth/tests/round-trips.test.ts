/** Number of database round trips of frequent requests; each costs more than its query. */
import { recordFlushes } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getUser } from '../account/get-user.ts';
import type { EndpointHandler } from '../context.ts';
import { signUp } from '../credential/sign-up.ts';
import { token } from '../credential/token.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail, PASSWORD, type Person, signUpPerson } from '../testing/people.ts';
import { authContext, authRequest, type RequestFields } from '../testing/request.ts';

let server: AuthServer;
let ann: Person;
beforeAll(async () => {
  server = await startAuthServer();
  ann = await signUpPerson(server);
});
afterAll(() => server.close());

it.each<[string, EndpointHandler, () => RequestFields, string[]]>([
  ['GET /user', getUser, () => ({ bearer: ann.accessToken }), ['query']],
  [
    'a refresh',
    token,
    () => ({ query: 'grant_type=refresh_token', body: { refresh_token: ann.refreshToken } }),
    ['begin and query', 'writes and commit'],
  ],
  [
    'a sign-in',
    token,
    () => ({ query: 'grant_type=password', body: { email: ann.email, password: PASSWORD } }),
    ['query', 'query'],
  ],
  ['a sign-up', signUp, () => ({ body: { email: newEmail(), password: PASSWORD } }), ['query', 'batch']],
])('%s takes the flushes $3', async (_, handle, fields, expected) => {
  const flushes: string[] = [];
  const context = authContext(server, { database: recordFlushes(server.database.auth, flushes) });
  expect((await handle(context, authRequest(fields()))).status).toBe(200);
  expect(flushes).toEqual(expected);
});
