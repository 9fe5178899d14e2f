/**
 * Settings that name a file instead of being one: `@path`, as with PostgREST, so that a secret need not be in the
 * environment. Only the environment may name files: who may write settings into the database must not choose what is read.
 */
import { readFileSync } from 'node:fs';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { ConfigSource } from './config-source.ts';

/** What remains of a file. A secret may end with blanks, a URL does not. */
const CONTENTS_OF: Readonly<Record<string, (text: string) => string>> = {
  DATABASE_URL: (text) => text.trim(),
  PGRST_DB_URI: (text) => text.trim(),
  REDIS_URL: (text) => text.trim(),
  PGRST_JWT_SECRET: (text) => text.replace(/\n$/, ''),
};

/** For people: what else may be written where {@link withFileContents} reads. */
export const FILE_ALLOWED = '@path of a file with it';

/** The settings with the contents of the files in place of their names. Throws {@link ConfigError} for those not there. */
export function withFileContents(source: ConfigSource): ConfigSource {
  const problems: ConfigProblem[] = [];
  const read = Object.entries(CONTENTS_OF).flatMap(([name, contentsOf]) => {
    const value = source[name];
    if (!value?.startsWith('@')) return [];
    try {
      return [[name, contentsOf(readFileSync(value.slice(1), 'utf8'))] as const];
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      // It may have been meant as the secret itself.
      problems.push({ name, value: undefined, allowed: `${FILE_ALLOWED} (reading it failed: ${code})` });
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return read.length === 0 ? source : { ...source, ...Object.fromEntries(read) };
}
