/**
 * Runs a whole instance as a process, without pages. Reads settings from the environment, and prints `ready URL` when
 * it accepts requests.
 */
import { loadConfig } from '../settings.ts';
import { startGreenroom } from '../start.ts';

const instance = await startGreenroom({ config: loadConfig(process.env), pages: 'none' });
process.once('SIGTERM', () => void instance.close());
process.stdout.write(`ready ${instance.url}\n`);
