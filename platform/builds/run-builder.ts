/** Runs a bundler in a child process, so that its memory is released before the server starts. */
import { spawn } from 'node:child_process';

/** Number of output lines in the error message of a failed build. */
const SHOWN_LINES = 40;

/** Options of {@link runBuilder}. */
interface BuilderOptions {
  /** For the error message: `The build of … failed`. */
  title: string;
  /** Arguments of Node.js. */
  args: readonly string[];
  cwd: string;
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Returns the lines of the output for the error message. Default: the last lines. */
  describeFailure?: (output: string) => string;
}

/** Resolves when the process has exited with code 0; otherwise rejects with a part of its output. */
export function runBuilder({
  title,
  args,
  cwd,
  env = {},
  describeFailure = lastLines,
}: BuilderOptions): Promise<void> {
  const builder = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [builder.stdout, builder.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    builder.once('error', reject);
    builder.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `The build of ${title} failed (${signal ?? `exit ${code}`}):\n${describeFailure(output)}`,
          ),
        );
    });
  });
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}
