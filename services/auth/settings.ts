/** Settings of the authentication service, with those of all providers. */
import { PROVIDERS } from './identity/oauth/providers.ts';
import { defineAuthSettings } from './settings/settings.ts';

export const authSettings = defineAuthSettings(PROVIDERS);
