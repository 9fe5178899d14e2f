/** Checks of ports and of the way of requests to the instance. */
import { isPublicUrl } from '@greenroom/config';
import { DEFAULT_DATABASE_PORT } from '@greenroom/server';
import { findPortHolder } from '../ports/port-holder.ts';
import { type Check, type Outcome, ok, problem, type Subject, skipped } from './check.ts';

const TIMEOUT_MS = 5000;

async function checkPorts({ config, record, isRunning }: Subject): Promise<Outcome[]> {
  if (isRunning) return [ok(`the instance listens at ${record?.apiUrl}`)];
  const wanted = [
    { host: config.host, port: config.port, key: 'api.port' },
    ...(config.databaseUrl === undefined
      ? [{ host: '127.0.0.1', port: config.databasePort ?? DEFAULT_DATABASE_PORT, key: 'db.port' }]
      : []),
  ].filter(({ port }) => port !== 0);
  const held = await Promise.all(
    wanted.map(async (each) => ({ ...each, holder: await findPortHolder(each, []) })),
  );
  const taken = held.filter(({ holder }) => holder !== undefined);
  if (taken.length === 0) return [ok(`free ports: ${wanted.map(({ port }) => port).join(', ') || 'any'}`)];
  return taken.map(({ port, holder, key }) =>
    problem(
      `port ${port} is in use by ${holder?.description}`,
      holder?.isInstance
        ? 'The next start moves to another port; to choose it, set '.concat(`${key} in supabase/config.toml.`)
        : `Stop that program, or set ${key} in supabase/config.toml to another port.`,
    ),
  );
}

async function checkPublicUrl({ config, isRunning }: Subject): Promise<Outcome[]> {
  const { publicUrl, appUrl } = config;
  if (publicUrl === undefined || !isPublicUrl(publicUrl)) return [skipped('no public URL is configured')];
  if (!isRunning) return [skipped(`${appUrl} is checked while the instance runs`)];
  const remedy = 'Check the name in the DNS, the certificate, and the reverse proxy; see docs/running.md.';
  const response = await fetch(`${appUrl}/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: Error) => error,
  );
  if (response instanceof Error) return [problem(`${appUrl} does not respond: ${causeOf(response)}`, remedy)];
  const body = (await response.json().catch(() => ({}))) as { status?: unknown; version?: unknown };
  if (response.status === 200 && body.status === 'ok' && typeof body.version === 'string')
    return [ok(`${appUrl} reaches the instance`)];
  return [problem(`${appUrl} responds with ${response.status}, but not as this instance does`, remedy)];
}

/** A proxy that is not trusted makes all visitors one client, whose limits they share. */
async function checkProxy({ config }: Subject): Promise<Outcome[]> {
  const { publicUrl, appUrl, trustedProxies, tls } = config;
  if (publicUrl === undefined || !isPublicUrl(publicUrl)) return [skipped('no public URL is configured')];
  if (tls !== undefined) return [ok('the server itself speaks HTTPS')];
  if (trustedProxies.length > 0) return [ok(`trusted proxies: ${trustedProxies.join(', ')}`)];
  return [
    problem(
      `${appUrl} needs a reverse proxy for TLS, but no proxy is trusted, so all visitors have one address`,
      'Set GREENROOM_TRUST_PROXY to the address of the proxy, and let it set X-Forwarded-For, -Proto and -Host.',
    ),
  ];
}

/** The cause of a failed request is more precise than its message. */
function causeOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

export const NETWORK_CHECKS: readonly Check[] = [
  { name: 'ports', run: checkPorts },
  { name: 'public URL', run: checkPublicUrl },
  { name: 'proxy', run: checkProxy },
];
