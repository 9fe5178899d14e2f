/** `greenroom start` and `greenroom dev`. What is not started is not loaded. */
import { parseArgs } from 'node:util';

/** Services that are of use without the others. */
const STANDALONE: Record<string, () => Promise<number>> = {
  data: async () => (await import('../serve-data.ts')).serveData(),
  storage: async () => (await import('../serve-storage.ts')).serveStorage(),
};

/** Serves the production build, or with `--services` one of those above alone. */
export async function start(words: string[]): Promise<number> {
  const { values } = parseArgs({ args: words, options: { services: { type: 'string' } } });
  if (values.services === undefined) return (await import('../serve-instance.ts')).serveInstance('built');
  const serve = Object.hasOwn(STANDALONE, values.services) ? STANDALONE[values.services] : undefined;
  if (serve === undefined) {
    const known = `${Object.keys(STANDALONE).join(', ')}. Without --services, everything is started.`;
    throw new Error(`--services ${values.services} is not known; alone can be started: ${known}`);
  }
  return serve();
}

/** Serves the app from its sources. */
export async function dev(words: string[]): Promise<number> {
  parseArgs({ args: words, options: {} });
  return (await import('../serve-instance.ts')).serveInstance('dev');
}
