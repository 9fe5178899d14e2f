/** The environment of downloads: how this machine reaches registries. Functions never see it. */

/** Variables of proxies, registries and certificates. */
const PASSED = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NPM_CONFIG_REGISTRY',
  'npm_config_registry',
  'JSR_URL',
  'SSL_CERT_FILE',
  'DENO_CERT',
  'DENO_AUTH_TOKENS',
] as const;

/** Returns the variables. The certificates of the system, and those that Node.js trusts in addition, are trusted. */
export function downloadEnvironment(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS } = source;
  const passed = PASSED.flatMap((name) => {
    const value = source[name];
    return value ? [[name, value] as const] : [];
  });
  return {
    DENO_TLS_CA_STORE: 'system,mozilla',
    ...(NODE_EXTRA_CA_CERTS && { DENO_CERT: NODE_EXTRA_CA_CERTS }),
    ...Object.fromEntries(passed),
  };
}
