/** `greenroom start` and `greenroom dev`. Code is loaded only for the parts that are started. */
import { parseArgs } from 'node:util';

/** Services that can run alone, on a foreign database; nothing is created in it. */
const STANDALONE: Record<string, () => Promise<number>> = {
  data: async () => (await import('../serve-data.ts')).serveData(),
  storage: async () => (await import('../serve-storage.ts')).serveStorage(),
};

/** Serves the production build, or with `--services` only the named services. */
export async function start(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { services: { type: 'string' } } });
  const { services } = values;
  if (services !== undefined && Object.hasOwn(STANDALONE, services)) return STANDALONE[services]?.() ?? 1;
  const { serveInstance } = await import('../serve-instance.ts');
  return services === undefined ? serveInstance('built') : serveInstance('none', services.split(','));
}

/** Serves the app from its sources. */
export async function dev(args: string[]): Promise<number> {
  parseArgs({ args, options: {} });
  return (await import('../serve-instance.ts')).serveInstance('dev');
}
