/** Of signing in with Google, where a site has it. */
import { defineTexts } from './define-texts.ts';

export const loginGoogleTexts = defineTexts({
  en: { google: 'Continue with Google', or: 'or' },
  de: { google: 'Weiter mit Google', or: 'oder' },
});
