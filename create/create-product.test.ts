import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from './package.json' with { type: 'json' };
import { createProductFolder, runStarter } from './testing/product-folder.ts';

const PROGRAM = join(import.meta.dirname, 'bin.mjs');
const NAMES = readdirSync(join(import.meta.dirname, 'templates')).filter((name) => name !== 'shared');
const MAX_PATH_BYTES = 4096;
const ROOM_BYTES = 30;
const NAME_BYTES = 100;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-create-'));
  // The users of PostgreSQL and of functions must be able to enter the folder.
  await chmod(folder, 0o711);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const create = (...args: string[]) => runStarter(folder, ...args);

/** Returns a path that is so long that some paths of a product in it are longer than Linux allows. */
function deepFolder(): string {
  const missing = MAX_PATH_BYTES - ROOM_BYTES - folder.length;
  const names = Array.from({ length: missing }, (_, index) => (index % NAME_BYTES === 0 ? '/' : 'd'));
  return `${folder}${names.join('')}d`;
}

describe('create-greenroom', () => {
  it('creates a product with its name, and prints the next commands', async () => {
    const { code, output } = await create('My Shop!', '--template', 'backend-only');
    expect(code).toBe(0);
    expect(output).toContain(
      "created My Shop! from the template backend-only\n\nNext:\n  cd 'My Shop!'\n  npm install\n",
    );
    const product = join(folder, 'My Shop!');
    const { name, dependencies } = JSON.parse(await readFile(join(product, 'package.json'), 'utf8'));
    expect(name).toBe('my-shop');
    expect(dependencies.greenroom).toBe(`^${manifest.version}`);
    expect(await readFile(join(product, 'supabase/config.toml'), 'utf8')).toContain('project_id = "my-shop"');
    expect(await readdir(product)).toEqual(
      expect.arrayContaining([
        '.gitignore',
        '.github',
        'Dockerfile',
        'README.md',
        'compose.yaml',
        'supabase',
        'tests',
      ]),
    );
  });

  it('takes the package from a tarball, which becomes part of the product', async () => {
    await writeFile(join(folder, 'greenroom-9.8.7.tgz'), 'tarball');
    expect((await create('offline', '--greenroom', 'greenroom-9.8.7.tgz')).code).toBe(0);
    const { dependencies } = JSON.parse(await readFile(join(folder, 'offline/package.json'), 'utf8'));
    expect(dependencies.greenroom).toBe('file:vendor/greenroom-9.8.7.tgz');
    expect(await readFile(join(folder, 'offline/vendor/greenroom-9.8.7.tgz'), 'utf8')).toBe('tarball');
  });

  it('uses an empty folder with a git repository', async () => {
    await mkdir(join(folder, 'repository/.git'), { recursive: true });
    expect((await create('repository')).code).toBe(0);
  });

  it.each([
    ['./relative', 'relative'],
    ['slash/', 'slash'],
    ['up/../down', 'down'],
    ['.', 'current'],
  ])('creates the product in the folder %s', async (path, name) => {
    const parent = join(folder, path === '.' ? name : 'paths');
    await mkdir(parent, { recursive: true });
    const { code, errors } = await runStarter(parent, path);
    expect([code, errors]).toEqual([0, '']);
    const product = resolve(parent, path);
    expect(JSON.parse(await readFile(join(product, 'package.json'), 'utf8')).name).toBe(name);
    expect(await readFile(join(product, 'supabase/config.toml'), 'utf8')).toContain(`project_id = "${name}"`);
  });

  it.runIf(process.platform === 'linux')('leaves an empty folder empty if it fails', async () => {
    const deep = deepFolder();
    await mkdir(join(deep, '.git'), { recursive: true });
    const { code, errors } = await create(deep);
    expect(errors).toContain('cannot be written: ENAMETOOLONG');
    expect(code).toBe(1);
    expect(await readdir(deep)).toEqual(['.git']);
  });

  it.each([
    ['a folder that is not empty', ['used'], 1, 'is not empty (file.txt). Name a new or empty folder.'],
    ['a file', ['used/file.txt'], 1, 'is a file. Name a new or empty folder.'],
    [
      'an unknown template',
      ['new', '--template', 'big'],
      2,
      'there is no template "big". Allowed: minimal, saas, backend-only.',
    ],
    [
      'a missing tarball',
      ['new', '--greenroom', 'absent.tgz'],
      1,
      '--greenroom absent.tgz: there is no such file.',
    ],
    ['a second folder', ['new', 'other'], 2, 'only one folder is allowed, but "other" is another one.'],
    [
      'an unknown option',
      ['new', '--force'],
      2,
      "Unknown option '--force'. Options: create-greenroom --help",
    ],
    ['no folder without a terminal', [], 2, 'name the folder: npm create greenroom <folder>'],
  ])('refuses %s', async (_, args, code, message) => {
    await mkdir(join(folder, 'used'), { recursive: true });
    await writeFile(join(folder, 'used/file.txt'), '');
    const outcome = await create(...args);
    expect(outcome.errors).toContain(message);
    expect(outcome.code).toBe(code);
    expect(await readdir(folder)).not.toContain('new');
  });

  it('prints its help and its version', async () => {
    const { output } = await create('--help');
    for (const name of NAMES) expect(output).toContain(name);
    expect((await create('--version')).output).toBe(`${manifest.version}\n`);
  });

  it.each([
    ['Café 2', 'caf-2'],
    ['_', 'my-product'],
    ['greenroom', 'greenroom-product'],
    ['shop_web', 'shop-web'],
  ])('gives the product of the folder %s the name %s', async (path, name) => {
    expect((await create(path)).code).toBe(0);
    expect(JSON.parse(await readFile(join(folder, path, 'package.json'), 'utf8')).name).toBe(name);
  });
});

describe.each(NAMES)('the template %s', (template) => {
  // Builds pages and starts an instance for each file of tests.
  it('passes its tests and its check of types', { timeout: 600_000 }, async () => {
    const product = await createProductFolder(folder, template, template);
    expect(await product.checkTypes()).toBe('passed');
    expect(await product.runTests()).toBe('passed');
  });
});

describe('create-greenroom on a terminal', () => {
  /** Answers each question on a pseudo-terminal; returns everything that the terminal has shown. */
  async function answer(answers: readonly [question: string, answer: string][]): Promise<string> {
    // The program `script` of util-linux gives its command a terminal.
    const command = [process.execPath, PROGRAM].map((part) => `'${part}'`).join(' ');
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder });
    let shown = '';
    let read = 0;
    const open = [...answers];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      const [question, typed] = open[0] ?? [];
      const end = question === undefined ? -1 : shown.indexOf(question, read);
      if (end < 0) return;
      read = shown.length;
      open.shift();
      child.stdin.write(`${typed}\r`);
    });
    const [code] = await once(child, 'close');
    expect([code, open]).toEqual([0, []]);
    return shown;
  }

  it('asks for folder and template until the answers can be used', async () => {
    await mkdir(join(folder, 'occupied'));
    await writeFile(join(folder, 'occupied/file.txt'), '');
    const shown = await answer([
      ['Folder (my-product): ', 'occupied'],
      ['Folder (my-product): ', ''],
      ['Template (', '9'],
      ['Template (', '1'],
    ]);
    expect(shown).toContain('is not empty (file.txt). Name a new or empty folder.');
    expect(shown).toContain(`Type a number from 1 to ${NAMES.length}, or the name of a template.`);
    const [, first] = /^1 {2}(\S+): /m.exec(shown) ?? [];
    expect(shown).toContain(`created my-product from the template ${first}`);
    expect(await readdir(join(folder, 'my-product'))).toContain('package.json');
  });
});
