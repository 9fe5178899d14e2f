/**
 * The main module of a process that only fills the cache with compiled code: it imports the function, whose module is the
 * first argument. Deno stores the code of modules that have run, also if a later one fails.
 */
import { deno } from './deno.ts';

await import(deno.args[0] ?? '').catch(() => undefined);
