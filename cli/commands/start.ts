/** `greenroom start` and `greenroom dev`. What is not started is not loaded. */
import { parseArgs } from 'node:util';

/** A service that is started alone runs on a database that is not ours; nothing is created there. */
const STANDALONE: Record<string, () => Promise<number>> = {
  data: async () => (await import('../serve-data.ts')).serveData(),
  storage: async () => (await import('../serve-storage.ts')).serveStorage(),
};

/** Serves the production build, or with `--services` only the services that it names. */
export async function start(words: string[]): Promise<number> {
  const { values } = parseArgs({ args: words, options: { services: { type: 'string' } } });
  const { services } = values;
  if (services !== undefined && Object.hasOwn(STANDALONE, services)) return STANDALONE[services]?.() ?? 1;
  const { serveInstance } = await import('../serve-instance.ts');
  return services === undefined ? serveInstance('built') : serveInstance('none', services.split(','));
}

/** Serves the app from its sources. */
export async function dev(words: string[]): Promise<number> {
  parseArgs({ args: words, options: {} });
  return (await import('../serve-instance.ts')).serveInstance('dev');
}
