/** Opens services, and registers their routes on a server. */
import type { ConfigSource } from '@greenroom/config';
import { type CredentialOptions, registerApiScope } from '@greenroom/http';
import type { OpenService, PreparedSettings, ServiceContext } from '@greenroom/service';
import type { FastifyInstance } from 'fastify';
import type { ListedService, ServiceConfigs } from './services.ts';
import { registerUnserved } from './unserved.ts';

/** The context that all services have in common. */
type HostContext = Omit<ServiceContext<unknown>, 'config'>;

/** The running services. */
interface ServiceHost {
  services: readonly OpenService[];
  /** Prepares new settings of all services. If one rejects them, discards those of the others. */
  prepareSettings(configs: ServiceConfigs, source: ConfigSource): Promise<PreparedSettings>;
  /** Closes all of them at the same time, because none depends on another; also if closing others fails. */
  close(): Promise<void>;
}

/** Opens services at the same time, because none depends on another. If one fails, closes those that are open. */
export async function openServices(
  list: readonly ListedService[],
  configs: ServiceConfigs,
  context: HostContext,
): Promise<ServiceHost> {
  const results = await Promise.allSettled(
    list.map((service) => service.open({ ...context, config: configs[service.name] })),
  );
  const running = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find(({ status }) => status === 'rejected');
  const close = () => closeAll(running);
  if (failed?.status === 'rejected') {
    await close().catch(() => undefined);
    throw failed.reason;
  }
  return {
    services: running,
    prepareSettings: (next, source) =>
      prepareAll(
        running.map((open, index) => async () => {
          const name = list[index]?.name;
          return name && open.prepareSettings?.({ config: next[name], source });
        }),
      ),
    close,
  };
}

/** Closes all, then rejects with the error of the first that failed. */
async function closeAll(services: readonly OpenService[]): Promise<void> {
  const results = await Promise.allSettled(services.map(async (service) => service.close()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Prepares several parts as one. If one of them rejects, discards the others. */
export async function prepareAll(
  parts: readonly (() => Promise<PreparedSettings | undefined>)[],
): Promise<PreparedSettings> {
  const prepared: PreparedSettings[] = [];
  const discard = () => {
    for (const part of prepared) part.discard?.();
  };
  try {
    for (const prepare of parts) {
      const part = await prepare();
      if (part !== undefined) prepared.push(part);
    }
  } catch (error) {
    discard();
    throw error;
  }
  return {
    apply() {
      for (const part of prepared) part.apply();
    },
    discard,
  };
}

/** Registers the routes and handshakes of a service, behind cross-origin rules and the API key check. */
export async function registerService(
  server: FastifyInstance,
  { routes, upgrades }: Pick<OpenService, 'routes' | 'upgrades'>,
  credentials: CredentialOptions,
): Promise<void> {
  for (const path of upgrades) server.upgrades.accept(path);
  for (const { prefix, plugin, openPaths, cors } of routes) {
    await registerApiScope(server, {
      prefix,
      service: plugin,
      serviceOptions: {},
      credentials,
      openPaths,
      ...(cors && { cors }),
    });
  }
}

/** Registers all services, and 404 for paths of services that the instance does not have. */
export async function registerServices(
  server: FastifyInstance,
  running: readonly OpenService[],
  credentials: CredentialOptions,
): Promise<void> {
  for (const service of running) await registerService(server, service, credentials);
  await registerUnserved(server, running);
}

const SEPARATE_STORES =
  'several nodes use this database, but this node stores objects in a local folder; mount that folder on all nodes, or set S3_BUCKET';

/** Warns if several nodes run and one of their services stores content that other nodes cannot reach. */
export function warnOfLocalContent(
  services: readonly OpenService[],
  warn: (details: { store: string }, text: string) => void,
): void {
  if (!services.some(({ nodes }) => (nodes?.() ?? 1) > 1)) return;
  for (const { localContent } of services) if (localContent) warn({ store: localContent }, SEPARATE_STORES);
}
