/** Generates a signing key for the file of a project. */
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { parseSigningKeys } from '@greenroom/config';
import { writeFileAtomically } from '@greenroom/data-folder';
import { type GENERATED_ALGORITHMS, generateJwk } from '@greenroom/keys';
import { requireConfirmation } from '../../prompt.ts';
import { type ProjectOptions, readConfig } from '../../settings.ts';

/** Options of {@link generateSigningKey}. */
interface SigningKeyOptions {
  algorithm: (typeof GENERATED_ALGORITHMS)[number];
  /** Whether the keys of the file are kept. */
  isAppended: boolean;
  isConfirmed: boolean;
}

const ADVICE = `To sign with it:
1. Save it as an array: supabase/signing_keys.json, which does not belong into a repository.
2. Name the file in supabase/config.toml:

[auth]
signing_keys_path = "./signing_keys.json"
`;

type Jwk = Awaited<ReturnType<typeof generateJwk>>;

/** Prints the key, or writes it to the configured file. Asks before it replaces the keys of the file. */
export async function generateSigningKey(
  { algorithm, isAppended, isConfirmed }: SigningKeyOptions,
  options: ProjectOptions,
): Promise<number> {
  const { signingKeysFile: path } = await readConfig(options);
  if (path === undefined) {
    process.stdout.write(`${JSON.stringify(await generateJwk(algorithm))}\n`);
    process.stderr.write(ADVICE);
    return 0;
  }
  const existing = await readKeys(path, isAppended);
  if (existing.length > 0 && !isAppended)
    await requireConfirmation(`${path} has keys. Replace them? Tokens that they signed become invalid.`, {
      isConfirmed,
    });
  const kept = isAppended ? existing : [];
  const generated = await generateJwk(algorithm);
  const key = kept.length > 0 ? { ...generated, key_ops: ['verify'] } : generated;
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomically(path, `${JSON.stringify([...kept, key], null, 2)}\n`);
  for (const line of await describe(path, key, kept.length)) process.stderr.write(`${line}\n`);
  return 0;
}

/** Returns the keys of a file; none if it does not exist. A file that is to be replaced may have any content. */
async function readKeys(path: string, isAppended: boolean): Promise<Jwk[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new Error(`${path} cannot be read: ${error.message}`);
  });
  if (text.trim() === '') return [];
  try {
    parseSigningKeys(text);
    // In the order of the file.
    return JSON.parse(text) as Jwk[];
  } catch (error) {
    if (!isAppended) return [{}];
    throw new Error(`${path} ${(error as Error).message}. Mend it, or leave out --append to replace it.`);
  }
}

async function describe(path: string, { kid }: Jwk, others: number): Promise<string[]> {
  const next =
    others === 0
      ? 'Restart the instance to sign with it.'
      : 'It verifies tokens after the next start. To sign with it, give it key_ops ["sign", "verify"] in the file, and the signing key ["verify"].';
  const isIgnored = await isIgnoredByGit(path);
  return [
    `wrote the key ${kid} to ${relative('.', path)}, which contains ${others + 1} key${others > 0 ? 's' : ''} now`,
    next,
    ...(isIgnored === false ? [`Add ${relative('.', path)} to .gitignore: it contains private keys.`] : []),
  ];
}

/** Undefined outside of a repository, and without git. */
function isIgnoredByGit(path: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    execFile('git', ['check-ignore', '--quiet', path], { cwd: dirname(path) }, (error) => {
      if (error === null) resolve(true);
      else resolve(error.code === 1 ? false : undefined);
    });
  });
}
