/** Where the modules of functions are downloaded from, and how this machine reaches those places. */
import type { FunctionsConfig } from '../settings.ts';

/** Sources of modules. Functions never see the variables. */
export interface DownloadSources {
  /** Variables by which Deno finds other registries: for downloads, and for loading their packages later. */
  registries: Readonly<Record<string, string>>;
  /** Hosts with ports from which modules may come, those of JSR included. */
  hosts: readonly string[];
  /** Path of a file with further certificates of authorities. */
  caFile: string | undefined;
  /** Variables of downloads alone: proxies, certificates, tokens. */
  environment: Readonly<Record<string, string>>;
}

const PASSED = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'DENO_AUTH_TOKENS',
] as const;

const JSR_URL = 'https://jsr.io';

/** Returns the sources. Settings have priority over the variables of the environment that Deno and npm read. */
export function downloadSources(
  { jsrUrl, npmRegistry, importHosts, caFile }: FunctionsConfig['downloads'],
  environment: NodeJS.ProcessEnv = process.env,
): DownloadSources {
  const jsr = jsrUrl ?? urlOf(environment.JSR_URL);
  const npm = npmRegistry ?? urlOf(environment.NPM_CONFIG_REGISTRY || environment.npm_config_registry);
  const passed = PASSED.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  return {
    registries: { ...(jsr && { JSR_URL: jsr }), ...(npm && { NPM_CONFIG_REGISTRY: npm }) },
    hosts: [...importHosts.map(withPort), hostOf(jsr ?? JSR_URL)],
    caFile: caFile ?? (environment.DENO_CERT || environment.NODE_EXTRA_CA_CERTS || undefined),
    environment: { DENO_TLS_CA_STORE: 'system,mozilla', ...Object.fromEntries(passed) },
  };
}

function urlOf(text: string | undefined): string | undefined {
  return text !== undefined && URL.canParse(text) ? text : undefined;
}

function withPort(host: string): string {
  return host.includes(':') ? host : `${host}:443`;
}

function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
