/**
 * Entry point of the server under attack: `greenroom start` as users run it, from its bundle, with a probe of the event loop
 * in the same process.
 */
import { startProbe } from './probe.ts';

startProbe();
await import(new URL('../../../cli/bin.mjs', import.meta.url).href);
