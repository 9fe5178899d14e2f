/** The compiled code of functions: stored when they are prepared, and changed by no process. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

const FILES = {
  'packages/index.ts': `
    import { createClient } from "npm:@supabase/supabase-js@2";
    const client = createClient(Deno.env.get('SUPABASE_URL'), Deno.env.get('SUPABASE_ANON_KEY'));
    if (Deno.env.get('SECRET') === undefined) throw new Error('no secret');
    Deno.serve(() => new Response(typeof client.from));`,
  'writes/index.ts': `Deno.serve(async () => {
    const cache = Deno.env.get('TMPDIR') + '.cache';
    const results = [];
    for (const path of [cache + '/v8_code_cache_v2', cache + '/new']) {
      try {
        Deno.writeTextFileSync(path, 'x');
        results.push('written');
      } catch (error) {
        results.push(error.name);
      }
    }
    const storage = await caches.open('storage');
    results.push(await storage.match('http://x/') === undefined ? 'empty' : 'full', localStorage.getItem('x') ?? 'empty');
    await storage.put('http://x/', new Response('x'));
    localStorage.setItem('x', 'full');
    return Response.json(results);
  });`,
};

let server: FunctionsServer;

beforeAll(async () => {
  server = await FunctionsServer.open({
    files: FILES,
    secrets: { SECRET: 'x' },
    settings: { GREENROOM_FUNCTIONS_IDLE_SECONDS: '1' },
  });
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

/** Returns the path of the stored code of a function. */
function storedCodeOf(name: string): string {
  const [path] = globSync('*/cache/v8_code_cache_v2', { cwd: join(server.dataFolder, 'functions', name) });
  return join(server.dataFolder, 'functions', name, path ?? '');
}

it('contains the packages of a function, also if the function fails without its secrets', async () => {
  expect(await (await server.call('packages')).text()).toBe('function');
  const database = new DatabaseSync(storedCodeOf('packages'), { readOnly: true });
  const specifiers = database.prepare('select specifier from codecache').all();
  database.close();
  expect(specifiers.map(({ specifier }) => String(specifier)).join('\n')).toMatch(
    /node_modules\/@supabase\/supabase-js\//,
  );
});

it('is neither changed by a process nor shared with the next one, like its storage', async () => {
  const answers: unknown[] = [];
  const read = () => readFileSync(storedCodeOf('writes')).toString('base64');
  answers.push(await (await server.call('writes')).json());
  const stored = read();
  const pid = server.pidOf('writes');
  await expect.poll(() => existsSync(`/proc/${pid}/stat`), { timeout: 20_000 }).toBe(false);
  answers.push(await (await server.call('writes')).json());
  expect(server.pidOf('writes')).not.toBe(pid);
  expect(answers).toEqual(Array.from({ length: 2 }, () => ['NotCapable', 'NotCapable', 'empty', 'empty']));
  expect(read()).toBe(stored);
});

it.runIf(process.getuid?.() === 0)('belongs to root, and nobody else may write it', async () => {
  await server.call('writes');
  const { uid, mode } = statSync(storedCodeOf('writes'));
  expect([uid, mode & 0o022]).toEqual([0, 0]);
});
