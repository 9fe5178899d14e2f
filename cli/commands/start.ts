/** `greenroom start` and `greenroom dev`. What is not started is not loaded. */
import { parseArgs } from 'node:util';

/** Services that are of use without the others. */
const STANDALONE = ['data'];

/** Serves the production build, or with `--services data` the data API alone. */
export async function start(words: string[]): Promise<number> {
  const { values } = parseArgs({ args: words, options: { services: { type: 'string' } } });
  if (values.services === undefined) return (await import('../serve-instance.ts')).serveInstance('built');
  if (!STANDALONE.includes(values.services)) {
    const known = `${STANDALONE.join(', ')}. Without --services, everything is started.`;
    throw new Error(`--services ${values.services} is not known; alone can be started: ${known}`);
  }
  return (await import('../serve-data.ts')).serveData();
}

/** Serves the app from its sources. */
export async function dev(words: string[]): Promise<number> {
  parseArgs({ args: words, options: {} });
  return (await import('../serve-instance.ts')).serveInstance('dev');
}
