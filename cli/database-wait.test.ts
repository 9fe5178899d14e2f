/** `db.health_timeout`: a start with a database that does not accept connections. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

const DATABASE_URL = 'postgresql://ada@127.0.0.1:1/db';

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': '[db]\nhealth_timeout = "1s"\n' });
});
afterAll(() => project[Symbol.asyncDispose]());

const start = (env: Record<string, string>) => project.run(['start', '--services', 'auth'], { env });

it('ends after the time of config.toml, and names the database that did not respond', async () => {
  const { code, output, errors } = await start({ DATABASE_URL });
  expect(output).toContain(
    '  waiting up to 1 s for the database of DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n',
  );
  expect([code, errors]).toEqual([
    1,
    'error: DATABASE_URL: cannot connect: connect ECONNREFUSED 127.0.0.1:1; waited 1 s (db.health_timeout or GREENROOM_DB_HEALTH_TIMEOUT)\n',
  ]);
});

it('ends with a stop signal', async () => {
  const env = { DATABASE_URL, GREENROOM_DB_HEALTH_TIMEOUT: '1h' };
  const server = project.spawn(['start', '--services', 'auth'], { env });
  await server.waitFor(/waiting up to 3600 s/);
  server.child.kill('SIGTERM');
  const [code] = await once(server.child, 'exit');
  expect(code).toBe(1);
  expect(server.printed()).toContain(
    'error: stopped before the database of DATABASE_URL accepted connections\n',
  );
});

it('ends for the embedded database, too, if config.toml has another value than the default', async () => {
  await project.write('config.toml', '[db]\nhealth_timeout = "1ms"\n');
  const { code, errors } = await start({});
  expect([code, errors]).toEqual([
    1,
    'error: PostgreSQL did not accept connections within 0.001 s (db.health_timeout or GREENROOM_DB_HEALTH_TIMEOUT)\n',
  ]);
});

it('is rejected with its line if the value is no duration', async () => {
  await project.write('config.toml', '[db]\nhealth_timeout = "soon"\n');
  expect((await start({})).errors).toBe(
    'error: supabase/config.toml:2: db.health_timeout="soon" is not allowed. Allowed: a positive duration such as 10s, 15m or 1h30m\n',
  );
});
