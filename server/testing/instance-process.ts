/**
 * Runs a whole instance as a process, without pages. Reads settings from the environment, and prints `ready URL` when
 * it accepts requests.
 */
import { enableCompileCache } from 'node:module';

// Most of a start is reading and compiling the sources.
enableCompileCache();
const [{ loadConfig }, { startGreenroom }] = await Promise.all([
  import('../settings.ts'),
  import('../start.ts'),
]);
const instance = await startGreenroom({ config: loadConfig(process.env), pages: 'none' });
process.once('SIGTERM', () => void instance.close());
process.stdout.write(`ready ${instance.url}\n`);
