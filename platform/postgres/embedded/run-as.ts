/** PostgreSQL refuses to run as root. If this process runs as root, PostgreSQL runs as an unprivileged user. */
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

/** Place of files that cannot be in a folder closed to other users. Only used when running as root. */
export const SYSTEM_STATE_DIRECTORY = '/var/lib/greenroom';

/** Users that PostgreSQL may run as, in order of preference. initdb needs a user that has a name in the system. */
const CANDIDATES = ['greenroom', 'postgres', 'nobody'];

const run = promisify(execFile);

/** Returns the user to run as; undefined if this process is not root (or on Windows). */
export async function chooseRunAs(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readUsers()) ?? (await Promise.all(CANDIDATES.map(userNamed)));
  const found = CANDIDATES.map((name) => users.find((user) => user?.name === name)).find(Boolean);
  if (found) return found;
  throw new Error(
    `PostgreSQL cannot run as root, and no user to run it as exists. Create one of: ${CANDIDATES.join(', ')}`,
  );
}

/** Returns the existing candidates from the system's user database; undefined if the system has no `getent` (macOS). */
async function readUsers(): Promise<RunAs[] | undefined> {
  // Exits with an error if one of the users does not exist, and still prints the others.
  const output = await run('getent', ['passwd', ...CANDIDATES]).then(
    ({ stdout }) => stdout,
    (error: { code?: unknown; stdout?: string }) => (error.code === 'ENOENT' ? undefined : error.stdout),
  );
  return output
    ?.split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => {
      const [name = '', , uid, gid] = line.split(':');
      return { name, uid: Number(uid), gid: Number(gid) };
    });
}

async function userNamed(name: string): Promise<RunAs | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Whether `runAs` may enter every folder on the way to `path`, and `path` itself. */
export async function isReachable(path: string, runAs: RunAs | undefined): Promise<boolean> {
  if (runAs === undefined) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const executeBit = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001;
    if ((mode & executeBit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Returns the spawn options of PostgreSQL's programs: their user and their environment. */
export function spawnOptions(runAs: RunAs | undefined): {
  uid?: number;
  gid?: number;
  env: NodeJS.ProcessEnv;
} {
  return { ...(runAs && { uid: runAs.uid, gid: runAs.gid }), env: serverEnvironment() };
}

/**
 * Passes none of this process's environment, which may contain secrets, to PostgreSQL. LC_ALL keeps its messages in
 * English.
 */
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '', SystemRoot, TMPDIR, TEMP } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, LC_ALL: 'C', TZ: 'UTC' };
  if (SystemRoot) env.SystemRoot = SystemRoot;
  if (TMPDIR) env.TMPDIR = TMPDIR;
  if (TEMP) env.TEMP = TEMP;
  return env;
}
