#!/usr/bin/env node
/** Entry of the command line. Compiled code is cached on disk from here on, so that later starts are quick. */
import { enableCompileCache } from 'node:module';

const GOODBYE_MS = 2000;

enableCompileCache();
// Left to the system, they would end the process, and open it to debuggers. A server reads its settings anew on them.
for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => undefined);
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2));
// All is closed by now; a connection whose other end has gone silent must not keep the process for minutes.
setTimeout(() => process.exit(), GOODBYE_MS).unref();
