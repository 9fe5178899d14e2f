/** Finds configured and custom providers. */
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { CUSTOM_PREFIX, findCustomProvider } from './custom/find.ts';
import type { Provider } from './provider.ts';
import { PROVIDERS } from './providers.ts';

const DESCRIPTIONS = new Map(PROVIDERS.map(({ name, description }) => [name, description]));

/** Finds a provider by name. Throws `validation_failed` if it is unknown or disabled. */
export async function findProvider(context: AuthContext, name: string): Promise<Provider> {
  if (name === '') throw unsupported('missing provider');
  const custom = name.startsWith(CUSTOM_PREFIX) ? await findCustomProvider(context, name) : undefined;
  const provider = custom ?? builtInProvider(context, name);
  if (provider === undefined) throw unsupported(`provider is not enabled`);
  return provider;
}

function builtInProvider({ config }: AuthContext, name: string): Provider | undefined {
  const description = DESCRIPTIONS.get(name);
  const settings = config.externalProviders.providers.get(name);
  return description && settings && { name, description, settings, mayBePrivate: true };
}

function unsupported(reason: string) {
  return failure('validation_failed', { message: `Unsupported provider: ${reason}` });
}
