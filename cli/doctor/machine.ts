/** Checks of the machine: Node.js, native packages, PostgreSQL, memory. */
import { createRequire } from 'node:module';
import { freemem, totalmem } from 'node:os';
import { checkEmbeddedBinaries } from '@greenroom/postgres';
import { type Check, type Outcome, ok, problem, type Subject, skipped } from './check.ts';

const MIN_NODE_MAJOR = 24;
/** Packages with native code, which do not work if they were installed for another platform. */
const NATIVE_PACKAGES = ['@node-rs/bcrypt', '@node-rs/argon2', 'sharp'];
/** The server and PostgreSQL need about half of it. */
const MIN_MEMORY_MB = 512;
const MB = 1024 * 1024;

async function checkNode(): Promise<Outcome[]> {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= MIN_NODE_MAJOR) return [ok(`Node.js ${node}`)];
  return [problem(`Node.js ${node} is too old`, `Run npm ci, which installs Node.js ${MIN_NODE_MAJOR}.`)];
}

async function checkPackages(): Promise<Outcome[]> {
  const load = createRequire(import.meta.url);
  const broken = NATIVE_PACKAGES.flatMap((name) => {
    try {
      load(name);
      return [];
    } catch (error) {
      const [reason = ''] = (error as Error).message.split('\n');
      return [problem(`${name} cannot be loaded: ${reason}`, 'Run npm ci on this machine.')];
    }
  });
  return broken.length > 0 ? broken : [ok(`native packages: ${NATIVE_PACKAGES.join(', ')}`)];
}

async function checkPostgres({ config }: Subject): Promise<Outcome[]> {
  if (config.databaseUrl !== undefined) return [skipped('DATABASE_URL names an external PostgreSQL')];
  try {
    return [ok(await checkEmbeddedBinaries())];
  } catch (error) {
    return [
      problem(
        `the embedded PostgreSQL cannot be run: ${(error as Error).message}`,
        'Run npm ci on this machine, and install the libraries that the message names; or set DATABASE_URL to an external server.',
      ),
    ];
  }
}

async function checkMemory(): Promise<Outcome[]> {
  const limit = process.constrainedMemory();
  // Without a limit, the value is larger than any memory.
  const total = Math.floor(Math.min(totalmem(), limit || totalmem()) / MB);
  const free = Math.floor(Math.min(process.availableMemory(), limit || freemem()) / MB);
  if (total >= MIN_MEMORY_MB) return [ok(`memory: ${total} MB, ${free} MB available`)];
  return [
    problem(
      `memory: only ${total} MB`,
      `Give the machine or container ${MIN_MEMORY_MB} MB at least; below that, PostgreSQL may be killed.`,
    ),
  ];
}

export const MACHINE_CHECKS: readonly Check[] = [
  { name: 'node', run: checkNode },
  { name: 'packages', run: checkPackages },
  { name: 'postgres', run: checkPostgres },
  { name: 'memory', run: checkMemory },
];
