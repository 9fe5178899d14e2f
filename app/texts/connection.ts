/** Texts about a lost connection. */
import { defineTexts } from './define-texts.ts';

export const connectionTexts = defineTexts({
  en: {
    offline: 'You are offline',
    noResponse: 'The server did not respond',
    kept: 'Try again when you are online. What you typed is kept.',
  },
  de: {
    offline: 'Sie sind offline',
    noResponse: 'Der Server hat nicht geantwortet',
    kept: 'Versuchen Sie es erneut, sobald Sie online sind. Ihre Eingaben bleiben erhalten.',
  },
});
