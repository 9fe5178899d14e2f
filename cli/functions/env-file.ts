/** Files with secrets of functions. */
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

/** Variables of the platform, which env files of projects often contain. */
const RESERVED = /^(?:SUPABASE_|SB_|DENO_)/;

/** The content of a file. */
interface EnvFile {
  variables: readonly (readonly [string, string])[];
  /** A line for the user about each variable that is left out. */
  skipped: readonly string[];
}

/** Reads the variables of a file. Throws if it cannot be read. */
export async function readEnvFile(path: string): Promise<EnvFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--env-file: ${path} cannot be read: ${error.code ?? error.message}`);
  });
  const all = Object.entries(parseEnv(text)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    variables: all.filter(([name]) => !RESERVED.test(name)),
    skipped: all
      .filter(([name]) => RESERVED.test(name))
      .map(([name]) => `skipped ${name}: names that begin with SUPABASE_, SB_ and DENO_ are reserved`),
  };
}
