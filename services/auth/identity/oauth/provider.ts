/** A provider that people sign in with. */
import type { ProviderSettings } from '../../settings/providers.ts';
import type { ProviderDescription } from './description.ts';

/** A provider that people may use here. */
export interface Provider {
  name: string;
  description: ProviderDescription;
  settings: ProviderSettings;
  /** Whether its servers may have private addresses. Operators configure built-in providers, so those may. */
  mayBePrivate: boolean;
}

/** The base URL that a provider's endpoints are below; undefined where it is the usual one. */
export function baseOf({ settings }: Pick<Provider, 'settings'>): string | undefined {
  return settings.url?.replace(/\/+$/, '');
}
