/** Opens services, and puts their routes on a server. */
import { type CredentialOptions, registerApiScope } from '@greenroom/http';
import type { OpenService, ServiceContext } from '@greenroom/service';
import type { FastifyInstance } from 'fastify';
import type { ListedService, ServiceConfigs } from './services.ts';

/** What all services are opened with. */
type HostContext = Omit<ServiceContext<unknown>, 'config'>;

/** Services that run. */
interface ServiceHost {
  services: readonly OpenService[];
  /** Closes them in reverse order; every one is closed, whether or not others fail. */
  close(): Promise<void>;
}

/** Opens services one after the other, and waits until all are ready. Closes those that are open where one fails. */
export async function openServices(
  list: readonly ListedService[],
  configs: ServiceConfigs,
  context: HostContext,
): Promise<ServiceHost> {
  await using opened = new AsyncDisposableStack();
  const running: OpenService[] = [];
  for (const service of list) {
    const open = await service.open({ ...context, config: configs[service.name] });
    opened.defer(() => open.close());
    running.push(open);
  }
  const kept = opened.move();
  return { services: running, close: () => kept.disposeAsync() };
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

const SEPARATE_STORES =
  'other nodes use this database, but this node stores objects in a folder of its own: objects that clients upload here are missing on other nodes unless all nodes mount the same folder or use S3_BUCKET';

/** Warns where several nodes run and one of their services keeps content that others cannot reach. */
export function warnOfLocalContent(
  services: readonly OpenService[],
  warn: (details: { store: string }, text: string) => void,
): void {
  if (!services.some(({ nodes }) => (nodes?.() ?? 1) > 1)) return;
  for (const { localContent } of services) if (localContent) warn({ store: localContent }, SEPARATE_STORES);
}
