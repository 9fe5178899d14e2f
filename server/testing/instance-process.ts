/** A whole instance as a process, without pages: settings from the environment, `ready URL` once it answers. */
import { loadConfig } from '../settings.ts';
import { startGreenroom } from '../start.ts';

const instance = await startGreenroom({ config: loadConfig(process.env), pages: 'none' });
process.once('SIGTERM', () => void instance.close());
process.stdout.write(`ready ${instance.url}\n`);
