/** OAuth providers on the pages of an instance. */
import { type PageProvider, withoutSuperseded } from '@greenroom/app';
import { PROVIDERS } from '@greenroom/auth/providers';

/** Icon of providers without an icon. */
const NEUTRAL_ICON = 'lucide:globe';

export const knownProviders: readonly PageProvider[] = PROVIDERS.map(
  ({ name, title, icon = NEUTRAL_ICON, successor }) => ({
    name,
    title,
    icon,
    ...(successor && { successor }),
  }),
);

/** Without a secret, a provider cannot exchange the code of a browser's sign-in. */
const withoutBrowserSignIn = new Set(
  PROVIDERS.filter(({ needsSecret }) => needsSecret === false).map(({ name }) => name),
);

/**
 * Returns the providers that the sign-in page offers.
 * @param clientIds client ids of the configured providers, by provider name
 */
export function offeredProviders(clientIds: Readonly<Record<string, string>>): PageProvider[] {
  return withoutSuperseded(
    knownProviders.filter(({ name }) => Object.hasOwn(clientIds, name) && !withoutBrowserSignIn.has(name)),
  );
}
