#!/usr/bin/env node
/** Entry of the command line. Compiled code is cached on disk from here on, so that later starts are quick. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2));
