/** The projects in `examples/`: each one runs on a new instance, and its program prints the output of its page. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

const EXAMPLES = join(import.meta.dirname, '..', 'examples');
const SERVICES = ['--services', 'auth,data,storage,realtime,functions,jobs'];
/** The example with a webhook requires a secret. */
const ENVIRONMENT = { GREENROOM_WEBHOOK_SECRETS: `whsec_${randomBytes(32).toString('base64')}` };
const NAMES = globSync('*/main.ts', { cwd: EXAMPLES }).map((path) => path.split('/')[0] as string);

it('README.md lists all examples', async () => {
  const page = await readFile(join(EXAMPLES, 'README.md'), 'utf8');
  const listed = [...page.matchAll(/^\| \[(\w+)\]\(\1\/README\.md\)/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(NAMES.toSorted());
});

it.for(NAMES)('the program of the example %s prints what its page shows', async (name) => {
  const folder = join(EXAMPLES, name);
  await using instance = await createProjectInstance(await readProject(folder));
  await instance.spawn(['start', ...SERVICES], { env: ENVIRONMENT }).waitFor(/^ready /m);
  const { output } = await instance.run(['status', '-o', 'json']);
  const { code, printed } = await runProgram(join(folder, 'main.ts'), JSON.parse(output));
  const page = await readFile(join(folder, 'README.md'), 'utf8');
  expect(printed).toBe(/^```text\n(.*?)^```/ms.exec(page)?.[1]);
  expect(code).toBe(0);
});

/** Returns the files below `supabase/`, by their paths in it. */
async function readProject(folder: string): Promise<Record<string, string>> {
  const supabase = join(folder, 'supabase');
  const paths = globSync('{config.toml,seed.sql,migrations/*.sql,functions/*/index.ts}', { cwd: supabase });
  const entries = paths.map(async (path) => [path, await readFile(join(supabase, path), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function runProgram(path: string, variables: Record<string, string>) {
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, printed: printed + errors };
}
