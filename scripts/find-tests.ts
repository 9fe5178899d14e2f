/** The tests of the repository, for tables that name tests by their titles. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestTitle, testTitles } from './test-titles.ts';

const FILES = '{app,bench,cli,create,demo,e2e,platform,scripts,server,services}/**/*.{test,spec}.ts';

/** A test and its file. */
interface FileTest extends TestTitle {
  /** Relative to the root of the repository. */
  file: string;
}

/** Returns all tests of the repository at `root`, also those of templates, which `create/create-product.test.ts` runs. */
export function findTests(root: string): FileTest[] {
  const files = globSync(FILES, { cwd: root, exclude: ['**/node_modules/**', '**/build/**'] });
  return files.flatMap((file) =>
    testTitles(file, readFileSync(join(root, file), 'utf8')).map((test) => ({ file, ...test })),
  );
}

/** Returns the files of all tests with this title, with or without the titles of their groups. */
export function filesWith(title: string, among: readonly FileTest[]): string[] {
  return among.filter((test) => test.title === title || test.path === title).map(({ file }) => file);
}
