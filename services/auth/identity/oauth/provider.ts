import type { ProviderSettings } from '../../settings/providers.ts';
import type { ProviderDescription } from './description.ts';

/** A provider that users can sign in with. */
export interface Provider {
  name: string;
  description: ProviderDescription;
  settings: ProviderSettings;
  /** Whether its servers may have private addresses. Operators configure built-in providers, so those may. */
  mayBePrivate: boolean;
}

/** Returns the configured base URL of a provider's endpoints; undefined for its default. */
export function baseOf({ settings }: Pick<Provider, 'settings'>): string | undefined {
  return settings.url?.replace(/\/+$/, '');
}
