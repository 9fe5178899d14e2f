/** Starts an instance, or a service alone. Code is loaded only for the parts that are started. */
import type { ProjectOptions } from '../settings.ts';

/** Services that can run alone, on a foreign database; nothing is created in it. */
const STANDALONE: Record<string, (options: ProjectOptions) => Promise<number>> = {
  data: async (options) => (await import('../serve-data.ts')).serveData(options),
  storage: async (options) => (await import('../serve-storage.ts')).serveStorage(options),
};

/** Options of {@link startInstance}. */
interface StartOptions {
  /** Names of the services to start, separated by commas; undefined starts all and the app. */
  services: string | undefined;
  detach: boolean;
  /** Undefined keeps the kind of keys of the start before. */
  usesCliKeys: boolean | undefined;
}

/** Serves the production build, or only the named services; with `detach` in the background. */
export async function startInstance(start: StartOptions, options: ProjectOptions): Promise<number> {
  const { services, detach, usesCliKeys } = start;
  const own = withCliKeysFlag(options, usesCliKeys);
  const runAlone =
    services !== undefined && Object.hasOwn(STANDALONE, services) ? STANDALONE[services] : undefined;
  if (detach && runAlone)
    throw new Error(`--detach starts whole instances; --services ${services} runs alone.`);
  if (runAlone) return runAlone(own);
  if (detach) return (await import('../detach.ts')).startDetached(startArguments(start), own);
  const { serveInstance } = await import('../serve-instance.ts');
  return services === undefined
    ? serveInstance('built', own)
    : serveInstance('none', own, { names: services.split(',') });
}

function withCliKeysFlag(options: ProjectOptions, usesCliKeys: boolean | undefined): ProjectOptions {
  if (usesCliKeys === undefined) return options;
  return { ...options, flags: { ...options.flags, GREENROOM_CLI_KEYS: String(usesCliKeys) } };
}

/** Returns the arguments of the same start in the foreground. */
function startArguments({ services, usesCliKeys }: StartOptions): string[] {
  return [
    ...(services === undefined ? [] : [`--services=${services}`]),
    ...(usesCliKeys === undefined ? [] : [usesCliKeys ? '--cli-keys' : '--no-cli-keys']),
  ];
}
