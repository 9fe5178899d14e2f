/** The official command line, installed from npm. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The version of `docs/official-cli.md`. */
export const VERSION = '3.1.0';

/** The end of a process. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the official command line in a folder, to its end. */
export type OfficialProgram = (args: readonly string[], cwd: string) => Promise<Outcome>;

/**
 * Installs the official command line below a folder, without scripts.
 * @throws Error with the output of npm, e.g. without a network
 */
export async function installOfficialProgram(folder: string): Promise<OfficialProgram> {
  const { code, stderr } = await run(
    'npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', `supabase@${VERSION}`],
    folder,
    process.env,
  );
  if (code !== 0) throw new Error(stderr.trim());
  // Without settings of the user, and without Docker.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    SUPABASE_TELEMETRY_DISABLED: '1',
    DOCKER_HOST: `unix://${join(folder, 'no-docker.sock')}`,
  };
  const program = join(folder, 'node_modules', 'supabase', 'dist', 'supabase.js');
  return (args, cwd) => run(process.execPath, [program, '--agent', 'no', ...args], cwd, env);
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
