/** Creates a test of the database. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ProjectOptions } from '../../settings.ts';

const FOLDER = 'supabase/tests';
/** Folders and a file name, without a way out of the folder of tests. */
const NAME = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const TEMPLATE = `begin;
select plan(1);

-- All functions: https://pgtap.org/documentation.html
select pass('replace this test');

select * from finish();
rollback;
`;

/** Creates a file from the template of pgTAP; returns the lines to print. Throws if it exists. */
export async function createTest(name: string, { project }: ProjectOptions): Promise<string[]> {
  if (!NAME.test(name))
    throw new Error(
      `${JSON.stringify(name)} cannot be the name of a test. Allowed: letters, digits, "_", "-" and ".", in folders with "/".`,
    );
  const path = `${FOLDER}/${name}_test.sql`;
  const location = join(resolve(project ?? ''), path);
  await mkdir(dirname(location), { recursive: true });
  await writeFile(location, TEMPLATE, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new Error(`${path} exists already. Choose another name.`);
    throw error;
  });
  return [`created ${path}`];
}
