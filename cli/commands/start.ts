/** `greenroom start` and `greenroom dev`. Code is loaded only for the parts that are started. */
import { parseArgs } from 'node:util';
import type { ProjectOptions } from '../settings.ts';

/** Services that can run alone, on a foreign database; nothing is created in it. */
const STANDALONE: Record<string, (options: ProjectOptions) => Promise<number>> = {
  data: async (options) => (await import('../serve-data.ts')).serveData(options),
  storage: async (options) => (await import('../serve-storage.ts')).serveStorage(options),
};

/** Serves the production build, or with `--services` only the named services. */
export async function start(args: string[], options: ProjectOptions): Promise<number> {
  const { values } = parseArgs({ args, options: { services: { type: 'string' } } });
  const { services } = values;
  if (services !== undefined && Object.hasOwn(STANDALONE, services)) {
    return STANDALONE[services]?.(options) ?? 1;
  }
  const { serveInstance } = await import('../serve-instance.ts');
  return services === undefined
    ? serveInstance('built', options)
    : serveInstance('none', options, services.split(','));
}

/** Follows the files of the project, and serves the app from its sources if the project belongs to them. */
export async function dev(args: string[], options: ProjectOptions): Promise<number> {
  parseArgs({ args, options: {} });
  return (await import('../serve-instance.ts')).serveInstance('dev', options);
}
