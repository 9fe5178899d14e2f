/** Entry of the server under attack: `greenroom start` with a probe of its event loop in the same process. */
import { startProbe } from './probe.ts';

startProbe();
await import('../../../cli/main.ts');
