/** Texts of sign-in with OAuth providers. */
import { defineTexts } from './define-texts.ts';

export const loginProviderTexts = defineTexts({
  en: { continueWith: (provider: string) => `Continue with ${provider}`, or: 'or' },
  de: { continueWith: (provider: string) => `Weiter mit ${provider}`, or: 'oder' },
});
