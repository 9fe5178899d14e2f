/** Texts of the notice while an administrator uses the site as a user. */
import { defineTexts } from './define-texts.ts';

export const impersonationTexts = defineTexts({
  en: {
    label: 'Impersonation',
    text: (name: string) => `You are using the site as ${name}.`,
    end: 'Return to your account',
  },
  de: {
    label: 'Nutzung als anderer Benutzer',
    text: (name: string) => `Sie nutzen die Website als ${name}.`,
    end: 'Zum eigenen Konto zurückkehren',
  },
});
