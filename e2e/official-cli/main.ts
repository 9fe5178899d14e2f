/**
 * `node e2e/official-cli/main.ts`: installs the official command line from npm and runs its commands against instances by
 * their connection URL, with and without TLS. Checks exit codes and output, and after a reset that users can sign up. Prints
 * one line with the number of checks; ends with exit code 1 if one of them fails, and skips if npm cannot install.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { newDataFolder, removeDataFolder, runCli, startInstance } from '../support/instance.ts';
import { argumentsOf, CALLS, type Call, RESET } from './calls.ts';
import { installOfficialProgram, type OfficialProgram, type Outcome, VERSION } from './official-program.ts';
import { FILES, PUSHED } from './project-files.ts';

const CREDENTIALS = { email: 'ben@example.org', password: 'correct horse battery' };
const SERVICES = 'auth,data,realtime,storage';
/** The modes of the instances. */
const MODES = ['off', 'on'] as const;

/** Whether the database accepts TLS. */
type Mode = (typeof MODES)[number];

/** An instance and the folders of its project. */
interface Testbed {
  official: OfficialProgram;
  project: string;
  /** Folder of another project, without migrations. */
  empty: string;
  urls: { instance: string; other: string };
  greenroom(args: string[]): ReturnType<typeof runCli>;
}

const folder = await newDataFolder();
try {
  process.exitCode = await main();
} finally {
  await removeDataFolder(folder);
}

async function main(): Promise<number> {
  const official = await installOfficialProgram(folder).catch((error: Error) => error);
  if (official instanceof Error) {
    print(`skipped: npm cannot install supabase@${VERSION}: ${official.message.split('\n')[0]}`);
    return 0;
  }
  const outcomes: boolean[] = [];
  for (const mode of MODES) outcomes.push(...(await runAll(official, mode)));
  const failures = outcomes.filter((isPassed) => !isPassed).length;
  print(`${outcomes.length} checks of supabase ${VERSION}, with and without TLS: ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

/** Starts an instance, runs all calls, and returns whether each one passed. */
async function runAll(official: OfficialProgram, tls: Mode): Promise<boolean[]> {
  const root = join(folder, `tls-${tls}`);
  const [project, empty, data] = [join(root, 'project'), join(root, 'empty'), join(root, 'data')];
  await writeFiles(project, FILES);
  await writeFiles(empty, { 'supabase/config.toml': FILES['supabase/config.toml'] ?? '' });
  const env = { GREENROOM_DB_TLS: tls };
  const instance = await startInstance(data, env, 'start', ['--project', project, '--services', SERVICES]);
  try {
    const greenroom = (args: string[]) => runCli([...args, '--project', project], data);
    const values = JSON.parse((await greenroom(['status', '-o', 'json'])).stdout);
    const bed: Testbed = { official, project, empty, urls: urlsOf(values.DB_URL, tls), greenroom };
    await writeFiles(project, PUSHED);
    await greenroom(['db', 'query', 'create database other']);
    const outcomes: boolean[] = [];
    for (const call of CALLS) outcomes.push(await runCall(bed, call, tls));
    outcomes.push(check('greenroom knows the pushed migration', await migrationProblem(bed)));
    outcomes.push(await runCall(bed, RESET, tls));
    outcomes.push(check('a user signs up after the reset', await signUpProblem(values)));
    return outcomes;
  } finally {
    await instance.stop();
  }
}

/** Without TLS, the command line would print a warning. */
function urlsOf(databaseUrl: string, tls: 'on' | 'off'): Testbed['urls'] {
  const instance = new URL(databaseUrl);
  if (tls === 'off') instance.searchParams.set('sslmode', 'disable');
  const other = new URL(instance);
  other.pathname = '/other';
  return { instance: instance.href, other: other.href };
}

async function runCall({ official, urls, ...bed }: Testbed, call: Call, tls: string): Promise<boolean> {
  const outcome = await official(argumentsOf(call, urls), bed[call.cwd ?? 'project']);
  const problem = problemOf(call, outcome);
  return check(`TLS ${tls}: supabase ${call.args.join(' ')}`, problem);
}

function problemOf({ code = 0, prints, omits, reports }: Call, outcome: Outcome): string | undefined {
  const { stdout, stderr } = outcome;
  const printed = `\n${stdout}\n${stderr}`;
  if (outcome.code !== code) return `ended with ${outcome.code}:${printed}`;
  if (prints !== undefined && !prints.test(stdout)) return `prints something else:${printed}`;
  if (omits?.test(stdout)) return `prints what it should omit:${printed}`;
  if (reports !== undefined && !reports.test(stderr)) return `reports something else:${printed}`;
  if (/TLS/.test(printed)) return `prints a warning about TLS:${printed}`;
  return undefined;
}

/** Migrations that the official command line has applied and recorded are neither pending nor edited. */
async function migrationProblem({ greenroom }: Testbed): Promise<string | undefined> {
  const { code, stdout, stderr } = await greenroom(['migration', 'up']);
  const isClean = code === 0 && !/warning|applying/.test(stdout + stderr);
  return isClean ? undefined : `migration up: ${stdout}${stderr}`;
}

/** The reset has truncated the accounts, and dropped all policies. */
async function signUpProblem(values: { API_URL: string; ANON_KEY: string }): Promise<string | undefined> {
  const client = createClient(values.API_URL, values.ANON_KEY, { auth: { persistSession: false } });
  const { error } = await client.auth.signUp(CREDENTIALS);
  if (error !== null) return error.message;
  const recovery = await client.auth.resetPasswordForEmail(CREDENTIALS.email);
  if (recovery.error !== null) return recovery.error.message;
  const notes = await client.from('notes').select('text');
  return notes.data?.length === 1 ? undefined : `notes: ${JSON.stringify(notes)}`;
}

/** Prints the outcome, and returns whether there is no problem. */
function check(name: string, problem: string | undefined): boolean {
  print(problem === undefined ? `ok  ${name}` : `!!  ${name}: ${problem}`);
  return problem === undefined;
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const location = join(root, path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, content);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
