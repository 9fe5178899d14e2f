/** Entry point of the server under attack: `greenroom start` with a probe of the event loop in the same process. */
import { startProbe } from './probe.ts';

startProbe();
await import('../../../cli/main.ts');
