#!/usr/bin/env node
/**
 * Runs the command line from its sources. Enables the on-disk cache of compiled code, so that later starts are fast.
 */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine();
