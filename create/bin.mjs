#!/usr/bin/env node
/** Entry point of `npm create greenroom`. Plain JavaScript without dependencies, so that it runs as it is. */
import { run } from './program/run.mjs';

process.exitCode = await run(process.argv.slice(2));
