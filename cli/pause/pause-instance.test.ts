/** `db reset` while the instance of the project runs. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

type ProjectInstance = Awaited<ReturnType<typeof createProjectInstance>>;

/** Larger than every process id of Linux. */
const NO_PROCESS = 2 ** 22 + 1;

let project: ProjectInstance;
let server: ReturnType<ProjectInstance['spawn']>;

beforeAll(async () => {
  project = await createProjectInstance({
    'migrations/1_a.sql': 'create table a (id int primary key);',
    'seed.sql': 'insert into a values (1);',
  });
  server = project.spawn(['start', '--services', 'auth']);
  await server.waitFor(/^ready /m);
});
afterAll(() => project[Symbol.asyncDispose]());

const dataFile = (name: string) => readFile(join(project.folder, '.greenroom', name), 'utf8');
const rows = async () => (await project.query('select id from a order by id')).map(({ id }) => id);

/** Resolves when the instance accepts requests again. */
const reset = () => project.run(['db', 'reset']);

describe('db reset of a running instance', () => {
  it('pauses the instance, which continues with the new database and the same keys', async () => {
    await project.query('insert into a values (7)');
    const keys = await dataFile('keys.json');
    expect(await reset()).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^pausing the running instance\n[\s\S]*the database is new. The instance continues.\n$/,
      ),
    });
    expect(await rows()).toEqual([1]);
    expect(await dataFile('keys.json')).toBe(keys);
  });

  it('keeps the database and the instance if a migration fails', async () => {
    await project.query('insert into a values (7)');
    await project.write('migrations/2_b.sql', 'select nope');
    expect(await reset()).toMatchObject({ code: 1, errors: expect.stringMatching(/2_b.sql, line 1/) });
    expect(await rows()).toEqual([1, 7]);
  });

  it('is not waited for if its process has ended', async () => {
    const before = server.printed().length;
    await writeFile(join(project.folder, '.greenroom', 'pause'), String(NO_PROCESS));
    server.child.kill('SIGUSR1');
    await server.waitFor(/settings reloaded/, before);
  });

  it('does not keep the instance from stopping', async () => {
    const before = server.printed().length;
    await writeFile(join(project.folder, '.greenroom', 'pause'), String(process.pid));
    server.child.kill('SIGUSR1');
    await server.waitFor(/paused, because another command needs the data folder/, before);
    await project.stop();
    expect(server.child.exitCode).toBe(0);
  });
});
