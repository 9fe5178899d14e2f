/** The services of an instance, in the order in which they are migrated and opened. */
import { authService } from '@greenroom/auth';
import type { ConfigOf, InstanceConfig } from '@greenroom/config';
import { dataService } from '@greenroom/data';
import { functionsService } from '@greenroom/functions';
import { jobsService } from '@greenroom/jobs';
import { metaService } from '@greenroom/meta';
import { realtimeService } from '@greenroom/realtime';
import type { Service } from '@greenroom/service';
import { storageService } from '@greenroom/storage';

/** A new service is added here. */
export const services = [
  authService,
  dataService,
  storageService,
  realtimeService,
  functionsService,
  jobsService,
  metaService,
] as const;

type AnyService = (typeof services)[number];

type ServiceName = AnyService['name'];

/** The configuration of every service, by its name. */
export type ServiceConfigs = {
  readonly [S in AnyService as S['name']]: ConfigOf<S['settings']>;
};

/** A service of the list, with its own configuration bound to its name. */
export type ListedService = Service<ServiceName, unknown>;

/**
 * The cast is necessary because the compiler cannot infer that each service receives only the configuration under its
 * own name.
 */
export const allServices = services as readonly unknown[] as readonly ListedService[];

/** Returns the services that the configuration enables, in the order of the list. */
export function enabledServices({
  enabledServices: isEnabled,
}: Pick<InstanceConfig, 'enabledServices'>): readonly ListedService[] {
  return allServices.filter(({ name }) => isEnabled[name]);
}

/** Returns the services with these names, in the order of the list. Throws if a name is unknown. */
export function servicesNamed(names: readonly string[]): readonly ListedService[] {
  const unknown = names.filter((name) => !allServices.some((service) => service.name === name));
  if (unknown.length > 0) {
    const known = allServices.map(({ name }) => name).join(', ');
    const quoted = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new Error(`unknown service ${quoted} in --services. Use ${known}, or omit it to start all.`);
  }
  return allServices.filter(({ name }) => names.includes(name));
}
