/**
 * A template: a cluster that was prepared once, with everything that new instances have in common. Copying it takes a
 * fraction of the time that creating and filling a cluster takes. The only secret in it is the password of its superuser,
 * which a copy replaces when its server starts for the first time.
 */
import { execFile } from 'node:child_process';
import { cp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeFileAtomically } from '@greenroom/data-folder';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './run-as.ts';
import { syncCluster } from './sync-cluster.ts';
import { renewSystemIdentifier } from './system-identifier.ts';

const run = promisify(execFile);

/** The password of the superuser; in a copy until the copy has its own. */
const PASSWORD_FILE = 'greenroom.template-password';

/** Makes a cluster that was shut down a template. Only the user that PostgreSQL runs as can read its password. */
export function saveTemplatePassword(
  cluster: string,
  password: string,
  runAs: RunAs | undefined,
): Promise<void> {
  return writeFileAtomically(join(cluster, PASSWORD_FILE), password, 0o600, runAs);
}

/** Options of {@link copyTemplate}. */
interface CopyOptions {
  template: string;
  /** An empty folder that `runAs` owns. */
  target: string;
  binaries: Pick<Binaries, 'initdb'>;
  runAs: RunAs | undefined;
}

/**
 * Copies a template, gives the copy an identifier of its own, and writes all of it to the disk. Rejects if the template was
 * replaced meanwhile, because files of the old one are then removed during the copy.
 */
export async function copyTemplate({ template, target, binaries, runAs }: CopyOptions): Promise<void> {
  const { ino } = await stat(template);
  if (process.platform === 'win32') await cp(template, target, { recursive: true });
  // Files keep their owner, which `cp` of Node.js would change to root.
  else await run('cp', ['-Rp', `${template}/.`, target], { cwd: target });
  if ((await stat(template)).ino !== ino) throw new Error('the template was replaced during the copy');
  await renewSystemIdentifier(target);
  await syncCluster({ directory: target, binaries, runAs });
}

/** Returns the password of the template that a cluster is a copy of; undefined if it has been replaced. */
export async function readTemplatePassword(cluster: string): Promise<string | undefined> {
  return readFile(join(cluster, PASSWORD_FILE), 'utf8').catch(() => undefined);
}

/** Called when the cluster has its final passwords. */
export async function removeTemplatePassword(cluster: string): Promise<void> {
  await rm(join(cluster, PASSWORD_FILE), { force: true });
}
