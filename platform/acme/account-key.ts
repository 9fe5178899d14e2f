/** The key of the account at an authority, in a file. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import { AcmeError } from './errors.ts';

const FILE = 'account-key.pem';

/**
 * Returns the account key in a folder, and creates both if they do not exist. The key is stored before its first use, so
 * that an account exists once. Throws AcmeError if the file has another content.
 */
export async function loadOrCreateAccountKey(folder: string): Promise<KeyObject> {
  const path = join(folder, FILE);
  const pem = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (pem !== undefined) return parse(pem, path);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  return privateKey;
}

function parse(pem: string, path: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // Reported below.
  }
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new AcmeError(
    `${path} contains no private key on the curve P-256; without the file, a new account is created`,
  );
}
