/** Settings of the authentication service, including those of all OAuth providers. */
import { PROVIDERS } from './identity/oauth/providers.ts';
import { defineAuthSettings } from './settings/settings.ts';

export const authSettings = defineAuthSettings(PROVIDERS);
