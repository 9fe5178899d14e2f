/** The tutorial docs/build-your-product.md. The trial `package` also runs its commands, with the packages of a registry. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestInstance } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProductFolder, type ProductFolder } from '../../create/testing/product-folder.ts';
import { repositoryVersion } from '../package/exports.ts';
import { applyFileStep, applyRemoval } from './apply-step.ts';
import { parseTutorial, readTutorial, showsOutput } from './read-tutorial.ts';

/** Building pages takes long on a busy machine. */
const TIMEOUT_MS = 600_000;

describe('the product of the tutorial', { timeout: TIMEOUT_MS }, () => {
  let folder: string;
  let product: ProductFolder;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-tutorial-'));
    // The users of PostgreSQL and of functions must be able to enter the folder.
    await chmod(folder, 0o711);
    vi.stubEnv('XDG_CACHE_HOME', folder);
    product = await createProductFolder(folder, 'todos', 'minimal');
    for (const step of readTutorial()) {
      await applyFileStep(product.path, step);
      await applyRemoval(product.path, step);
    }
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('applies its migrations, passes the check of types, and passes its tests with built pages', async () => {
    await using instance = await startTestInstance({ project: product.path });
    const types = join(product.path, 'database.types.ts');
    const source = ['--db-url', instance.databaseUrl, '--output', types];
    expect(await product.run('greenroom/bin.mjs', 'gen', 'types', 'typescript', ...source)).toBe('passed');
    expect(await readFile(types, 'utf8')).toContain('list_members');
    expect(await product.checkTypes()).toBe('passed');
    expect(await product.runTests()).toBe('passed');
  });
});

describe('the commands of the tutorial', () => {
  it('name the packages of this version', () => {
    const commands = readTutorial().flatMap((step) => (step.kind === 'command' ? [step.text] : []));
    const names = commands.flatMap((text) => text.match(/(?:create-)?greenroom-[\w.-]+\.tgz/g) ?? []);
    const version = repositoryVersion();
    expect([...new Set(names)]).toEqual([`create-greenroom-${version}.tgz`, `greenroom-${version}.tgz`]);
  });
});

describe('parseTutorial', () => {
  it('returns files, changes, commands and output in the order of the page', () => {
    const page = [
      'Create `a.ts`:\n\n```ts\n1;\n```\n',
      'Change `a.ts`:\n\n```diff\n 1;\n-2;\n+3;\n```\n\n```diff\n+4;\n```\n',
      '```sh exit=1\ncd todos\nnpm test\n```\n\n```text\npassed\n```\n',
      '```console\n$ sudo reboot\n```\n',
    ].join('\n');
    expect(parseTutorial(page)).toEqual([
      { kind: 'file', path: 'a.ts', content: '1;\n' },
      { kind: 'change', path: 'a.ts', before: '1;\n2;\n', after: '1;\n3;\n' },
      { kind: 'change', path: 'a.ts', before: '', after: '4;\n' },
      { kind: 'command', text: 'cd todos', exitCode: 0 },
      { kind: 'command', text: 'npm test', exitCode: 1 },
      { kind: 'output', text: 'passed\n' },
    ]);
  });

  it('refuses a block of code without the name of its file', () => {
    expect(() => parseTutorial('# Title\n\nCode:\n\n```ts\n1;\n```\n')).toThrow(
      'docs/build-your-product.md:5: no line before this block names a file',
    );
  });

  it('compares output with any text in place of an ellipsis', () => {
    const printed = '  applying 1.sql\nstreaming\nready http://127.0.0.1:54321\n';
    expect(showsOutput(printed, '  applying 1.sql\n…\nready http://127.0.0.1:54321\n')).toBe(true);
    expect(showsOutput(printed, 'ready http://127.0.0.1:54321\n…\n  applying 1.sql\n')).toBe(false);
  });
});
