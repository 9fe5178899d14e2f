/** Second factors that several sessions of one user use concurrently. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { signInPerson, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

const post = (path: string, body: object, bearer: string) =>
  send(server, { method: 'POST', path, body, bearer });

it('concurrent verifications raise one session and end the others without a deadlock', async () => {
  const ann = await signUpPerson(server);
  const { json: factor } = await post('/factors', { factor_type: 'totp' }, ann.accessToken);
  const codeOf = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate({
      timestamp: Date.now() + steps * 30_000,
    });
  const path = `/factors/${factor.id}`;
  const sessions = [ann];
  for (let index = 0; index < 3; index += 1) sessions.push(await signInPerson(server, ann.email));
  const challenges = await Promise.all(sessions.map((one) => post(`${path}/challenge`, {}, one.accessToken)));
  const responses = await Promise.all(
    sessions.map((one, index) =>
      post(
        `${path}/verify`,
        { challenge_id: challenges[index]?.json.id, code: codeOf((index % 3) - 1) },
        one.accessToken,
      ),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, text } of responses) expect(status, text).toBeLessThan(500);
});
