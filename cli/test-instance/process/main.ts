/** Entry point of the process of a test instance, from its sources. */
import { enableCompileCache } from 'node:module';

// First, because other modules keep a reference to `Date`.
const { moveClock } = await import('./moved-clock.ts');
enableCompileCache();
const { runTestInstance } = await import('./run-test-instance.ts');
await runTestInstance(moveClock);
