/** Checks for production: the machine, the database and the build. */
import { execFile } from 'node:child_process';
import { readFile, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { promisify } from 'node:util';
import { arePagesBuilt } from '../../ensure-built.ts';
import { type Check, type Outcome, ok, problem, type Subject, skipped, warning } from '../check.ts';

const MB = 1024 * 1024;
const MIN_MEMORY_MB = 1800;
const MIN_FREE_SHARE = 0.1;
/** The sockets of realtime alone are limited to 10,000. */
const MIN_OPEN_FILES = 16_384;
const TIMEOUT_MS = 5000;
/** Values of `sslmode` with which libpq never sends a password without TLS. */
const ENCRYPTED = new Set(['require', 'verify-ca', 'verify-full']);
const LOCAL_HOST = /^(?:|localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

async function checkBuild({ settings }: Subject): Promise<Outcome[]> {
  if (await arePagesBuilt(settings.product)) return [ok('the pages are built')];
  return [warning('the pages are not built, so the next start builds them', 'Run: greenroom build')];
}

async function checkUser(): Promise<Outcome[]> {
  const uid = process.getuid?.();
  if (uid === undefined) return [skipped('this system has no user ids')];
  if (uid !== 0) return [ok(`the user is ${uid}`)];
  return [
    warning(
      'this process runs as root, which the server does not need',
      'Run it as its own user, e.g. by: greenroom service install. In a container, the image should name a user.',
    ),
  ];
}

async function checkDatabase({ config }: Subject): Promise<Outcome[]> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined) return [skipped('the database is the embedded PostgreSQL')];
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname;
  if (LOCAL_HOST.test(host) || host.startsWith('/')) return [ok('the database is on this machine')];
  const mode = searchParams.get('sslmode') ?? process.env.PGSSLMODE ?? 'prefer';
  if (!ENCRYPTED.has(mode))
    return [
      problem(
        `the connection to the database at ${host} may have no TLS`,
        'Add sslmode=verify-full, and sslrootcert with the certificate of its authority, to DATABASE_URL.',
      ),
    ];
  if (mode !== 'verify-full')
    return [
      warning(
        `sslmode=${mode} does not check the name of the database at ${host}`,
        'Use sslmode=verify-full.',
      ),
    ];
  return [ok(`the connection to the database at ${host} has TLS`)];
}

/** Several nodes share a database; then files must be where all of them find them. */
async function checkNodes({ config }: Subject): Promise<Outcome[]> {
  if (config.databaseUrl === undefined) return [skipped('an embedded database has one node')];
  if (config.storage.s3Store !== undefined) return [ok('objects are in S3, for all nodes')];
  return [
    warning(
      'objects are in the data folder of this node',
      'Before a second node uses the database, set S3_BUCKET, or mount the folder on all nodes.',
    ),
  ];
}

async function checkDisk({ folder }: Subject): Promise<Outcome[]> {
  const disk = await statfs(folder).catch(() => undefined);
  if (disk === undefined) return [skipped(`${folder} does not exist before the first start`)];
  const free = disk.bavail / disk.blocks;
  const percent = Math.floor(free * 100);
  if (free >= MIN_FREE_SHARE) return [ok(`${percent}% of the disk are free`)];
  return [
    warning(`only ${percent}% of the disk are free`, 'Free space, or move the data folder to a larger disk.'),
  ];
}

async function checkMemory(): Promise<Outcome[]> {
  const total = Math.floor(Math.min(totalmem(), process.constrainedMemory() || totalmem()) / MB);
  if (total >= MIN_MEMORY_MB) return [ok(`memory: ${total} MB`)];
  return [warning(`memory: ${total} MB`, 'Give the machine or container 2 GB; docs/deploy.md has numbers.')];
}

/** The limit of the running instance, otherwise that of this process. Node.js raises the soft limit to the hard one. */
async function checkOpenFiles({ record, isRunning }: Subject): Promise<Outcome[]> {
  const pid = isRunning && record ? record.pid : 'self';
  const text = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const [, hard] = /^Max open files +\S+ +(\S+)/m.exec(text) ?? [];
  if (hard === undefined) return [skipped('the limit of open files cannot be read')];
  if (hard === 'unlimited' || Number(hard) >= MIN_OPEN_FILES) return [ok(`open files: up to ${hard}`)];
  return [
    warning(
      `open files: only ${hard}, each connection needs one`,
      `Raise the limit to ${MIN_OPEN_FILES}, e.g. LimitNOFILE= of systemd, or --ulimit nofile= of Docker.`,
    ),
  ];
}

async function checkTimeSync(): Promise<Outcome[]> {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  const found = await promisify(execFile)('timedatectl', args, { timeout: TIMEOUT_MS }).catch(
    () => undefined,
  );
  const answer = found?.stdout.trim();
  if (answer === 'yes') return [ok('the clock is synchronised')];
  if (answer !== 'no') return [skipped('this system does not report whether its clock is synchronised')];
  return [
    problem(
      'the clock is not synchronised: tokens and one-time codes depend on it',
      'Turn it on: timedatectl set-ntp true',
    ),
  ];
}

export const OPERATION_CHECKS: readonly Check[] = [
  { name: 'build', run: checkBuild },
  { name: 'user', run: checkUser },
  { name: 'database TLS', run: checkDatabase },
  { name: 'nodes', run: checkNodes },
  { name: 'disk', run: checkDisk },
  { name: 'server memory', run: checkMemory },
  { name: 'open files', run: checkOpenFiles },
  { name: 'time', run: checkTimeSync },
];
