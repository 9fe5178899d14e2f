/**
 * The key of Vault in the folder of a cluster, where functions of the superuser read it (extensions/supabase_vault). The
 * original is in `keys.json` of the data folder, so that neither dumps nor base backups of the database contain it.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import type { RunAs } from './run-as.ts';

/**
 * The scripts of supabase_vault contain this name. PostgreSQL leaves files whose name begins with `pgsql_tmp` out of base
 * backups, which `postgres` can request because it may replicate.
 */
const KEY_FILE = 'pgsql_tmp.greenroom-vault-key';
const KEY_BYTES = 32;

/**
 * Writes the key into the folder of a cluster; only the user that PostgreSQL runs as can read it.
 * @param key 64 hexadecimal digits; default: the key that the cluster has, or a new one
 */
export async function writeVaultKey(
  cluster: string,
  key: string | undefined,
  runAs: RunAs | undefined,
): Promise<void> {
  const path = join(cluster, KEY_FILE);
  const existing = await readFile(path, 'utf8').catch(() => undefined);
  const wanted = key ?? existing ?? randomBytes(KEY_BYTES).toString('hex');
  if (wanted !== existing) await writeFileAtomically(path, wanted, 0o600, runAs);
}

/** Removes the key from a cluster that is to be copied: each copy gets its own. */
export async function removeVaultKey(cluster: string): Promise<void> {
  await rm(join(cluster, KEY_FILE), { force: true });
}
