#!/usr/bin/env node
/** Entry point of the command line. Enables the on-disk cache of compiled code, so that later starts are fast. */
import { enableCompileCache } from 'node:module';

const EXIT_DELAY_MS = 2000;

enableCompileCache();
// By default, SIGUSR1 starts the debugger and SIGUSR2 ends the process. A server reloads its settings on both.
for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => undefined);
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2));
// Everything is closed by now; a connection with a peer that has gone silent must not keep the process alive for
// minutes.
setTimeout(() => process.exit(), EXIT_DELAY_MS).unref();
