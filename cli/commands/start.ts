/** `greenroom start` and `greenroom dev`. Code is loaded only for the parts that are started. */
import { parseArgs } from 'node:util';
import type { ProjectOptions } from '../settings.ts';

/** Services that can run alone, on a foreign database; nothing is created in it. */
const STANDALONE: Record<string, (options: ProjectOptions) => Promise<number>> = {
  data: async (options) => (await import('../serve-data.ts')).serveData(options),
  storage: async (options) => (await import('../serve-storage.ts')).serveStorage(options),
};

/** Serves the production build, or with `--services` only the named services; with `--detach` in the background. */
export async function start(args: string[], options: ProjectOptions): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      services: { type: 'string' },
      detach: { type: 'boolean', default: false },
      'cli-keys': { type: 'boolean' },
    },
    allowNegative: true,
  });
  const { services, detach, 'cli-keys': usesCliKeys } = values;
  const own = withCliKeysFlag(options, usesCliKeys);
  const runAlone =
    services !== undefined && Object.hasOwn(STANDALONE, services) ? STANDALONE[services] : undefined;
  if (detach && runAlone)
    throw new Error(`--detach starts whole instances; --services ${services} runs alone.`);
  if (runAlone) return runAlone(own);
  if (detach) return (await import('../detach.ts')).startDetached(startArguments(values), own);
  const { serveInstance } = await import('../serve-instance.ts');
  return services === undefined
    ? serveInstance('built', own)
    : serveInstance('none', own, services.split(','));
}

function withCliKeysFlag(options: ProjectOptions, usesCliKeys: boolean | undefined): ProjectOptions {
  if (usesCliKeys === undefined) return options;
  return { ...options, flags: { ...options.flags, GREENROOM_CLI_KEYS: String(usesCliKeys) } };
}

interface StartValues {
  services?: string | undefined;
  'cli-keys'?: boolean | undefined;
}

/** Returns the arguments of the same start in the foreground. */
function startArguments({ services, 'cli-keys': usesCliKeys }: StartValues): string[] {
  return [
    ...(services === undefined ? [] : [`--services=${services}`]),
    ...(usesCliKeys === undefined ? [] : [usesCliKeys ? '--cli-keys' : '--no-cli-keys']),
  ];
}

/** Follows the files of the project, and serves the app from its sources if the project belongs to them. */
export async function dev(args: string[], options: ProjectOptions): Promise<number> {
  parseArgs({ args, options: {} });
  return (await import('../serve-instance.ts')).serveInstance('dev', options);
}
