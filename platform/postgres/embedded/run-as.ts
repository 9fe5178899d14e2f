/** PostgreSQL refuses to run as root. Where we are root, it runs as an unprivileged user. */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The user that PostgreSQL's processes run as. */
export interface RunAs {
  uid: number;
  gid: number;
  name: string;
}

/** Where things go that cannot stay in a folder closed to other users. Only used when running as root. */
export const SYSTEM_STATE_DIRECTORY = '/var/lib/greenroom';

/** Users that PostgreSQL may run as, best first. initdb needs one that the system knows by name. */
const CANDIDATES = ['greenroom', 'postgres', 'nobody'];

const run = promisify(execFile);

/** The user to run as, or undefined where we are an ordinary user already (or on Windows). */
export async function chooseRunAs(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of CANDIDATES) {
    const ids = await idsOf(name);
    if (ids) return { ...ids, name };
  }
  throw new Error(`PostgreSQL cannot run as root, and none of these users exists: ${CANDIDATES.join(', ')}`);
}

async function idsOf(name: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** True if `runAs` may enter every folder on the way to `path` (and `path` itself). */
export async function isReachable(path: string, runAs: RunAs | undefined): Promise<boolean> {
  if (runAs === undefined) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const enterBit = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001;
    if ((mode & enterBit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** How PostgreSQL's programs are spawned: as whom, and with what environment. */
export function spawnOptions(runAs: RunAs | undefined): {
  uid?: number;
  gid?: number;
  env: NodeJS.ProcessEnv;
} {
  return { ...(runAs && { uid: runAs.uid, gid: runAs.gid }), env: serverEnvironment() };
}

/** None of our own environment (which may hold secrets) reaches PostgreSQL; LC_ALL keeps its messages in English. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '', SystemRoot, TMPDIR, TEMP } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, LC_ALL: 'C', TZ: 'UTC' };
  if (SystemRoot) env.SystemRoot = SystemRoot;
  if (TMPDIR) env.TMPDIR = TMPDIR;
  if (TEMP) env.TEMP = TEMP;
  return env;
}
