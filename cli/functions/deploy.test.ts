/** Functions and secrets of a running instance, by the commands. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

type ProjectInstance = Awaited<ReturnType<typeof createProjectInstance>>;

let instance: ProjectInstance;
let apiUrl: string;
let secretKey: string;
let inspectorPort: string;
let server: ReturnType<ProjectInstance['spawn']>;

const respond = (text: string) => `Deno.serve(() => new Response(${JSON.stringify(text)}));\n`;

const start = () =>
  instance.spawn(['start', '--services', 'auth,functions'], {
    env: { GREENROOM_FUNCTIONS_INSPECTOR_PORT: inspectorPort },
  });

beforeAll(async () => {
  inspectorPort = String(await freePort());
  instance = await createProjectInstance({
    'config.toml': '[functions.hello]\nverify_jwt = false\n',
    'functions/hello/index.ts': respond('one'),
    'functions/other/index.ts': respond('other'),
  });
  server = start();
  const started = await server.waitFor(/^ready /m);
  apiUrl = /^ready (\S+)/m.exec(started)?.[1] ?? '';
  const { output } = await instance.run(['status', '-o', 'json']);
  secretKey = JSON.parse(output).SECRET_KEY;
}, 120_000);
afterAll(() => instance?.[Symbol.asyncDispose]());

const run = async (...args: string[]) => {
  const { code, output, errors } = await instance.run(args);
  return { code, output, errors };
};
const call = async (name: string) =>
  (await fetch(`${apiUrl}/functions/v1/${name}`, { headers: { connection: 'close' } })).text();
/** Sends Ctrl-C. Returns the exit code. */
async function endOf({ child }: ReturnType<ProjectInstance['follow']>): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = await exited;
  return code;
}

/** Processes start, which takes a busy machine a while. */
const POLL = { timeout: 30_000 };
const read = (path: string) => readFile(join(instance.folder, 'supabase/functions', path), 'utf8');

it('deploy, versions, rollback and delete change the functions of a running instance', async () => {
  expect(await run('functions', 'deploy', 'hello')).toEqual({
    code: 0,
    output:
      'deployed hello: version 1, 1 file, 0.0 kB\nthis instance no longer serves the files of supabase/functions/hello. To return to them: greenroom functions delete hello\n',
    errors: '',
  });
  await instance.write('functions/hello/index.ts', respond('two'));
  expect(await call('hello')).toBe('one');
  expect((await run('functions', 'deploy', 'hello')).output).toContain('deployed hello: version 2');
  expect((await run('functions', 'deploy', 'hello')).output).toContain('hello is unchanged: version 2');
  expect(await call('hello')).toBe('two');
  expect((await run('functions', 'rollback', 'hello')).output).toBe('hello serves version 1\n');
  expect(await call('hello')).toBe('one');
  expect((await run('functions', 'rollback', 'hello', '--to', '2')).output).toBe('hello serves version 2\n');
  expect((await run('functions', 'versions', 'hello')).output).toMatch(
    /^VERSION {2}DEPLOYED +FILES {2}SIZE +TOKEN +HASH +STATUS\n2 +20\S+ \S+Z +1 +0\.0 kB {2}not required {2}[0-9a-f]{12} {2}served\n1 .*[0-9a-f]{12}\n$/,
  );
  expect((await run('functions', 'list')).output).toMatch(
    /^NAME +SOURCE +VERSION +UPDATED +TOKEN +FILE\nhello +project \(not served\) +- +- +not required {2}supabase\/functions\/hello\/index.ts\nhello +deployed +2 +20\S+ \S+Z +not required {2}-\nother +project /,
  );
  await run('functions', 'deploy', 'hello', '--verify-jwt');
  expect(JSON.parse(await call('hello'))).toMatchObject({ code: 'UNAUTHORIZED_NO_AUTH_HEADER' });
  expect((await run('functions', 'delete', 'hello')).output).toBe('deleted hello\n');
  expect(await call('hello')).toBe('two');
});

it('a deployment that fails names the reason, and the others succeed', async () => {
  await instance.write('functions/broken/index.ts', 'import "./gone.ts";');
  const { code, output, errors } = await run('functions', 'deploy', '--no-verify-jwt');
  expect([code, output]).toEqual([1, expect.stringMatching(/deployed hello: .*\ndeployed other: /)]);
  expect(errors).toContain('broken was not deployed.');
  expect(errors).toContain('gone.ts');
  expect(await call('other')).toBe('other');
  await rm(join(instance.folder, 'supabase/functions/broken'), { recursive: true });
});

it('deploy takes the import map of the command line', async () => {
  await instance.write(
    'functions/mapped/index.ts',
    `import { word } from ${JSON.stringify('word')};\n${respond('').replace('""', 'word')}`,
  );
  await instance.write('functions/_shared/word.ts', 'export const word = "mapped";');
  await instance.write('maps/imports.json', '{ "imports": { "word": "../functions/_shared/word.ts" } }');
  const map = ['--import-map', 'supabase/maps/imports.json'];
  const { errors } = await run('functions', 'deploy', 'mapped', '--no-verify-jwt', ...map);
  expect(errors).toBe('');
  expect(await call('mapped')).toBe('mapped');
});

it('deploy --prune deletes functions that the project no longer has', async () => {
  await rm(join(instance.folder, 'supabase/functions/mapped'), { recursive: true });
  const refused = await run('functions', 'deploy', 'hello', '--prune');
  expect(refused.errors).toContain('not confirmed');
  const { output } = await run('functions', 'deploy', 'hello', '--prune', '--yes');
  expect(output).toContain('deleted mapped\n');
  expect(JSON.parse(await call('mapped'))).toMatchObject({ code: 'NOT_FOUND' });
});

it('download writes the files of a version, and replaces nothing without --force', async () => {
  await run('functions', 'deploy', 'other');
  await instance.write('functions/other/index.ts', respond('edited'));
  const refused = await run('functions', 'download', 'other');
  expect([refused.code, refused.errors]).toEqual([
    1,
    'error: supabase/functions/other/index.ts exists with other content. Use --force to replace it.\n',
  ]);
  expect(await read('other/index.ts')).toBe(respond('edited'));
  const forced = await run('functions', 'download', 'other', '--force', '--version', '1');
  expect(forced.output).toContain('wrote supabase/functions/other/index.ts\n');
  expect(await read('other/index.ts')).toBe(respond('other'));
  await rm(join(instance.folder, 'supabase/functions/other'), { recursive: true });
  await symlink('/tmp', join(instance.folder, 'supabase/functions/other'));
  expect((await run('functions', 'download', 'other', '--force')).errors).toContain('is a symbolic link');
  await rm(join(instance.folder, 'supabase/functions/other'));
  expect((await run('functions', 'download', 'other')).code).toBe(0);
  expect(await read('other/index.ts')).toBe(respond('other'));
});

it('secrets are set, listed and unset', async () => {
  await instance.write('production.env', 'FROM_FILE="a b"\nBOTH=file\nSUPABASE_URL=http://other\n');
  const set = ['secrets', 'set', 'BOTH=line', 'EMPTY=', '--env-file', 'supabase/production.env'];
  expect(await run(...set)).toEqual({
    code: 0,
    output:
      'skipped SUPABASE_URL: names that begin with SUPABASE_, SB_ and DENO_ are reserved\nset BOTH, FROM_FILE, EMPTY\n',
    errors: '',
  });
  const listed = await run('secrets', 'list');
  expect(listed.output).toBe(
    [
      'NAME       DIGEST',
      `BOTH       ${hash('sha256', 'line')}`,
      `EMPTY      ${hash('sha256', '')}`,
      `FROM_FILE  ${hash('sha256', 'a b')}\n`,
    ].join('\n'),
  );
  expect((await run('secrets', 'unset', 'BOTH', 'EMPTY')).output).toBe('removed BOTH, EMPTY\n');
  expect((await run('secrets', 'unset', 'FROM_FILE', 'GONE')).errors).toBe(
    'error: there is no secret GONE. Removed: FROM_FILE.\n',
  );
  expect(JSON.parse((await run('secrets', 'list', '-o', 'json')).output)).toEqual([]);
  expect((await run('secrets', 'set', 'SUPABASE_URL=x')).errors).toContain('SUPABASE_URL is not allowed');
});

it('commands of functions reach another instance by URL and secret key', async () => {
  const remote = ['--url', `${apiUrl}/`, '--secret-key', secretKey];
  const commands = [
    ['functions', 'deploy', 'hello'],
    ['functions', 'versions', 'hello', '-o', 'json'],
    ['functions', 'rollback', 'hello', '--to', '1'],
    ['functions', 'download', 'hello', '--force'],
    ['functions', 'list', '-o', 'json'],
    ['functions', 'delete', 'hello'],
    ['functions', 'logs'],
    ['secrets', 'set', 'REMOTE=x'],
    ['secrets', 'list'],
    ['secrets', 'unset', 'REMOTE'],
  ];
  for (const command of commands) {
    const { code, errors } = await run(...command, ...remote);
    expect([command, code, errors]).toEqual([command, 0, '']);
  }
  const byVariable = await instance.run(['secrets', 'list', '--url', apiUrl], {
    env: { GREENROOM_SECRET_KEY: secretKey },
  });
  expect(byVariable.code).toBe(0);
});

const PRINTS = `Deno.serve((request) => {
  console.log('called', Deno.env.get('OVERRIDDEN') ?? 'plain', String.fromCharCode(27) + '[2J');
  console.error('failed');
  return new Response(request.headers.has('authorization') ? 'token' : 'none');
});`;

it('functions logs prints lines with time, level, function and request, and follows new ones', async () => {
  await instance.write('functions/hello/index.ts', PRINTS);
  await expect.poll(() => call('hello')).toBe('none');
  const response = await fetch(`${apiUrl}/functions/v1/hello`, { headers: { connection: 'close' } });
  const id = response.headers.get('x-request-id');
  await expect
    .poll(async () => (await run('functions', 'logs', 'hello')).output)
    .toMatch(
      new RegExp(
        `^20\\S+Z  info   hello  ${id}  called plain \\[2J\n20\\S+Z  error  hello  ${id}  failed$`,
        'm',
      ),
    );
  const last = await run('functions', 'logs', '--limit', '1', '--output-format', 'stream-json');
  expect(JSON.parse(last.output)).toMatchObject({ level: 'error', function: 'hello', request: id });
  expect((await run('functions', 'logs', 'nothing')).output).toBe('');
  const follower = instance.follow(['functions', 'logs', '-f', '--limit', '0']);
  await expect
    .poll(async () => {
      await call('hello');
      return follower.printed();
    }, POLL)
    .toContain('called plain');
  expect(await endOf(follower)).toBe(130);
});

it('functions serve serves with other settings, and prints lines, until Ctrl-C', async () => {
  await run('functions', 'deploy', 'other');
  await instance.write('functions/other/index.ts', PRINTS);
  await instance.write('serve.env', 'OVERRIDDEN=yes\n');
  const args = ['functions', 'serve', 'other', '--no-verify-jwt', '--env-file', 'supabase/serve.env'];
  const serving = instance.follow([...args, '--import-map', 'supabase/maps/imports.json']);
  await serving.waitFor(/^Ctrl-C ends this/m);
  expect(serving.printed()).toContain(`serving ${apiUrl}/functions/v1/other\n`);
  expect(await call('other')).toBe('none');
  await serving.waitFor(/ {2}other {2}\S+ {2}called yes/);
  expect((await run('functions', 'serve')).errors).toBe(
    'error: greenroom functions serve runs already for this instance\n',
  );
  expect(await endOf(serving)).toBe(130);
  await expect.poll(() => call('other')).toContain('UNAUTHORIZED');
});

it('functions serve --inspect opens an inspector while it runs', async () => {
  const serving = instance.follow(['functions', 'serve', 'hello', '--inspect']);
  const printed = await serving.waitFor(/^inspector of hello: 127\.0\.0\.1:\d+/m);
  const [, address] = /^inspector of hello: (\S+),/m.exec(printed) ?? [];
  await call('hello');
  expect(await (await fetch(`http://${address}/json/list`)).json()).toHaveLength(1);
  await endOf(serving);
  await expect
    .poll(
      () =>
        fetch(`http://${address}/json/list`).then(
          () => 'open',
          () => 'closed',
        ),
      POLL,
    )
    .toBe('closed');
});

it('functions serve names the wrong argument', async () => {
  const errors = async (...args: string[]) => (await run('functions', 'serve', ...args)).errors;
  expect(await errors('nothing')).toBe(
    'error: The project has no enabled function nothing. It has: hello, other\n',
  );
  expect(await errors('--inspect')).toContain('--inspect requires the name of a function');
  expect(await errors('hello', '--import-map', '/etc/passwd')).toContain(
    'is not in the folder of the project',
  );
});

it('a key is sent to the named address only, and refusals are explained', async () => {
  const list = (url: string, key = secretKey) => run('functions', 'list', '--url', url, '--secret-key', key);
  expect((await list(apiUrl, 'sb_secret_wrong')).errors).toContain(
    `${apiUrl} refused the key: it is not the secret key of this instance.`,
  );
  expect((await list('http://127.0.0.1:1')).errors).toContain('http://127.0.0.1:1 does not respond: ');
  const received: unknown[] = [];
  const target = createServer((request, response) => {
    received.push(request.headers.apikey);
    response.end('[]');
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as { port: number };
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  const { port: first } = redirecting.address() as { port: number };
  expect((await list(`http://127.0.0.1:${first}`)).code).toBe(1);
  expect(received).toEqual([]);
  target.close();
  redirecting.close();
});

it('a version is served completely or not at all after the server was killed during deployments', async () => {
  let acknowledged = 0;
  await instance.write('functions/hello/index.ts', respond('0'));
  await run('functions', 'deploy', 'hello', '--no-verify-jwt');
  const running = server.child;
  const ended = once(running, 'exit');
  for (let number = 1; number <= 100; number += 1) {
    await instance.write('functions/hello/index.ts', respond(String(number)));
    if (number === 4) setTimeout(() => running.kill('SIGKILL'), 20);
    const { code } = await run('functions', 'deploy', 'hello', '--no-verify-jwt');
    if (code !== 0) break;
    acknowledged = number;
  }
  await ended;
  server = start();
  const started = await server.waitFor(/^ready /m);
  apiUrl = /^ready (\S+)/m.exec(started)?.[1] ?? '';
  expect([acknowledged, acknowledged + 1].map(String)).toContain(await call('hello'));
}, 60_000);
