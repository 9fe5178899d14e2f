/** Reads the certificates that verify the server of an authority. */
import { readFile } from 'node:fs/promises';
import { type AutomaticHttps, automaticHttpsTree, ConfigError } from '@greenroom/config';
import { parseCertificate } from './pem.ts';

/** Returns the configured file; undefined if none is configured. Throws ConfigError for a file that cannot be used. */
export async function readAuthorities({ authoritiesFile }: AutomaticHttps): Promise<string | undefined> {
  if (authoritiesFile === undefined) return undefined;
  const { name, allowed } = automaticHttpsTree.authoritiesFile;
  const wrong = (reason: string) =>
    new ConfigError([{ name, value: authoritiesFile, allowed: `${allowed} (${reason})` }]);
  const pem = await readFile(authoritiesFile, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw wrong(`reading it failed: ${code}`);
  });
  if (parseCertificate(pem) === undefined) throw wrong('it contains no certificate');
  return pem;
}
