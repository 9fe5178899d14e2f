/** Creates the files of a new function, and its table in config.toml. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Project } from '../find-project.ts';
import { FUNCTION_NAME } from '../function-name.ts';
import { ProjectError } from '../project-error.ts';

/** Who may call a new function: everyone, holders of any key or token of the project, or signed-in users. */
export type FunctionAccess = 'none' | 'apikey' | 'user';

/** Options of {@link createFunction}. */
interface NewFunction {
  project: Project;
  name: string;
  access: FunctionAccess;
}

const GREETING = `  const { name } = await request.json();
  return Response.json({ message: \`Hello \${name}!\` });
`;

/** Apart, because imports of this repository are checked. */
const CLIENT = "'npm:@supabase/supabase-js@2'";

const FOR_USERS = `import { createClient } from ${CLIENT};

Deno.serve(async (request) => {
  const client = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_ANON_KEY')!, {
    global: { headers: { Authorization: request.headers.get('Authorization')! } },
  });
  const { data, error } = await client.auth.getUser();
  if (error) return Response.json({ message: error.message }, { status: 401 });
  return Response.json({ message: \`Hello \${data.user.email}!\` });
});
`;

const CODE: Readonly<Record<FunctionAccess, string>> = {
  none: `Deno.serve(async (request) => {\n${GREETING}});\n`,
  apikey: `Deno.serve(async (request) => {\n${GREETING}});\n`,
  user: FOR_USERS,
};

/**
 * Creates `supabase/functions/<name>/` with a module and a `deno.json`, and appends `[functions.<name>]` to config.toml if
 * that exists. Returns the paths of the files, relative to the folder of the project. Throws {@link ProjectError} if the name
 * is not allowed or the function exists.
 */
export async function createFunction({ project, name, access }: NewFunction): Promise<string[]> {
  if (!FUNCTION_NAME.test(name)) {
    throw new ProjectError(
      `${JSON.stringify(name)} cannot be the name of a function. Use a letter, then letters, digits, _ and -.`,
    );
  }
  const folder = join(project.supabaseFolder, 'functions', name);
  const configFile = join(project.supabaseFolder, 'config.toml');
  const config = await readFile(configFile, 'utf8').catch(() => undefined);
  if (config !== undefined && hasTable(config, name)) {
    throw new ProjectError(`supabase/config.toml already has the table [functions.${name}].`);
  }
  const partial = `${folder}.partial`;
  await mkdir(dirname(folder), { recursive: true });
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  await writeFile(join(partial, 'index.ts'), CODE[access]);
  await writeFile(join(partial, 'deno.json'), '{\n  "imports": {}\n}\n');
  await rename(partial, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(partial, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    throw new ProjectError(`supabase/functions/${name} exists already.`);
  });
  const created = [join(folder, 'index.ts'), join(folder, 'deno.json')];
  if (config !== undefined) {
    await replaceFile(configFile, `${config.trimEnd()}\n\n${tableOf(name, access)}`);
    created.push(configFile);
  }
  return created.map((path) => relative(project.folder, path));
}

function hasTable(config: string, name: string): boolean {
  return config.split('\n').some((line) => line.trim() === `[functions.${name}]`);
}

function tableOf(name: string, access: FunctionAccess): string {
  return [
    `[functions.${name}]`,
    'enabled = true',
    `verify_jwt = ${access !== 'none'}`,
    `import_map = "./functions/${name}/deno.json"`,
    `entrypoint = "./functions/${name}/index.ts"`,
    '',
  ].join('\n');
}

async function replaceFile(path: string, content: string): Promise<void> {
  await writeFile(`${path}.partial`, content);
  await rename(`${path}.partial`, path);
}
