/** The example of the reference page works as described. */
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import type { Statement } from '@greenroom/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { claimsOf, refresh, signInPerson, signUpPerson } from '../testing/people.ts';

const page = await readFile(new URL('../../../docs/reference/auth.md', import.meta.url), 'utf8');

/** The first code block of a language in the section on hooks. */
function example(language: string): string {
  const [, section = ''] = page.split(/^## Hooks$/m);
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1] ?? '';
}

/**
 * Statements end where an unindented line begins after a semicolon, so statements in the function's body stay together.
 */
function statementsOf(sql: string): Statement[] {
  return sql.split(/;\n+(?=create|alter|grant|revoke|$)/).flatMap((text) => (text.trim() ? [{ text }] : []));
}

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer(parseEnv(example('ini')));
  await server.database.admin.batch(statementsOf(example('sql')));
});
afterAll(() => server.close());

it('adds a role to access tokens', async () => {
  const ann = await signUpPerson(server);
  expect(claimsOf(ann.accessToken).user_role).toBeNull();
  await server.database.admin.query({
    text: `insert into public.user_roles values ($1, 'editor')`,
    values: [ann.id],
  });
  const again = await signInPerson(server, ann.email);
  expect(claimsOf(again.accessToken).user_role).toBe('editor');
  const { json } = await refresh(server, ann.refreshToken);
  expect(claimsOf(json.access_token).user_role).toBe('editor');
});

it.each(['anon', 'authenticated'])('cannot be called by %s', async (role) => {
  const call = server.database.admin.batch([
    { text: `select set_config('role', $1, true)`, values: [role] },
    { text: `select public.add_role('{}')` },
  ]);
  await expect(call).rejects.toMatchObject({ code: '42501' });
});
