/** A product of the starter that uses the packages of this repository. */
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
const STARTER = join(ROOT, 'create/bin.mjs');

const PATIENCE = ['--testTimeout=120000', '--hookTimeout=240000'];

/** A folder with a product. */
export interface ProductFolder {
  path: string;
  /** Runs a program of `node_modules`. Returns `passed`, or the output of a failure. */
  run(program: string, ...args: string[]): Promise<string>;
  /** Checks the types, as `npm run check` does in a product. */
  checkTypes(): Promise<string>;
  /** Runs the tests, as `npm test` does, with time for a busy machine. */
  runTests(): Promise<string>;
}

/** The outcome of a command. */
interface Outcome {
  code: number;
  output: string;
  errors: string;
}

/** Runs the starter in a folder. */
export function runStarter(folder: string, ...args: string[]): Promise<Outcome> {
  return promisify(execFile)(process.execPath, [STARTER, ...args], { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, output: stdout, errors: '' }),
    ({ code, stdout, stderr }) => ({ code, output: stdout, errors: stderr }),
  );
}

/**
 * Creates a product in a folder, and gives it the packages of this repository.
 * @param folder has the temporary files and caches of the product, too
 */
export async function createProductFolder(
  folder: string,
  name: string,
  template: string,
): Promise<ProductFolder> {
  const { code, errors } = await runStarter(folder, name, '--template', template);
  if (code !== 0) throw new Error(errors);
  const path = join(folder, name);
  await symlink(MODULES, join(path, 'node_modules'));
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(MODULES, program), ...args], {
      cwd: path,
      env: { PATH: process.env.PATH, HOME: path, TMPDIR: folder, XDG_CACHE_HOME: folder, NO_COLOR: '1' },
    }).then(
      () => 'passed',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
  return {
    path,
    run,
    checkTypes: async () => run('typescript/bin/tsc', '-p', await configOfTypes(path)),
    runTests: () => run('vitest/vitest.mjs', 'run', ...PATIENCE),
  };
}

/**
 * Returns the name of the product's configuration of TypeScript. For a product with pages, it is a new one which finds the types
 * of `greenroom/app` in this repository instead of the package.
 */
async function configOfTypes(product: string): Promise<string> {
  const { include } = JSON.parse(await readFile(join(product, 'tsconfig.json'), 'utf8'));
  if (!include.includes('app')) return 'tsconfig.json';
  const app = join(ROOT, 'app');
  const paths = {
    'greenroom/app': [join(app, 'product/index.ts')],
    'greenroom/app/server': [join(app, 'product/index.server.ts')],
  };
  const config = {
    extends: './tsconfig.json',
    compilerOptions: { paths, types: ['node', 'vite/client'] },
    include: [...include, join(app, 'browser.d.ts')],
  };
  await writeFile(join(product, 'tsconfig.repository.json'), JSON.stringify(config));
  return 'tsconfig.repository.json';
}
