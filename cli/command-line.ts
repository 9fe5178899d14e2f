/** Runs the command of this process's command line and sets its exit code. */
import { useLogFormat } from './log-output.ts';
import { run } from './run.ts';

const EXIT_DELAY_MS = 2000;

/** Resolves when the command has finished. */
export async function runCommandLine(): Promise<void> {
  // By default, SIGUSR1 starts the debugger and SIGUSR2 ends the process. A server reloads its settings on both.
  for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => undefined);
  process.stdout.on('error', exitOnClosedPipe);
  // A server continues without its output.
  process.exitCode = await run(process.argv.slice(2), {
    onServe() {
      process.stdout.off('error', exitOnClosedPipe);
      useLogFormat(process.env);
    },
  });
  // Everything is closed by now; a connection with a peer that has gone silent must not keep the process alive for
  // minutes.
  setTimeout(() => process.exit(), EXIT_DELAY_MS).unref();
}

/** The other end of the pipe was closed, e.g. by `head`. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
