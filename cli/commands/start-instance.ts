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
  /** Host names for which the instance obtains a certificate. Default: those of the settings. */
  domains: readonly string[] | undefined;
  detach: boolean;
  /** Undefined keeps the kind of keys of the start before. */
  usesCliKeys: boolean | undefined;
}

/** Serves the production build, or only the named services; with `detach` in the background. */
export async function startInstance(start: StartOptions, options: ProjectOptions): Promise<number> {
  const { services, domains, detach } = start;
  const own = withFlags(options, start);
  const runAlone =
    services !== undefined && Object.hasOwn(STANDALONE, services) ? STANDALONE[services] : undefined;
  if (detach && runAlone)
    throw new Error(`--detach starts whole instances; --services ${services} runs alone.`);
  if (domains && runAlone)
    throw new Error(`--https starts whole instances; --services ${services} runs alone.`);
  if (runAlone) return runAlone(own);
  if (detach) return (await import('../detach.ts')).startDetached(startArguments(start), own);
  const { serveInstance } = await import('../serve-instance.ts');
  return services === undefined
    ? serveInstance('built', own)
    : serveInstance('none', own, { names: services.split(',') });
}

function withFlags(options: ProjectOptions, { usesCliKeys, domains }: StartOptions): ProjectOptions {
  if (usesCliKeys === undefined && domains === undefined) return options;
  const flags = {
    ...options.flags,
    ...(usesCliKeys !== undefined && { GREENROOM_CLI_KEYS: String(usesCliKeys) }),
    ...(domains !== undefined && { GREENROOM_HTTPS_DOMAINS: domains.join() }),
  };
  return { ...options, flags };
}

/** Returns the arguments of the same start in the foreground. */
function startArguments({ services, domains = [], usesCliKeys }: StartOptions): string[] {
  return [
    ...(services === undefined ? [] : [`--services=${services}`]),
    ...domains.map((domain) => `--https=${domain}`),
    ...(usesCliKeys === undefined ? [] : [usesCliKeys ? '--cli-keys' : '--no-cli-keys']),
  ];
}
