/** Texts of signing out. */
import { defineTexts } from './define-texts.ts';

export const signOutTexts = defineTexts({
  en: {
    home: 'Home',
    description: 'The result of signing out.',
    signedOutOthers: 'Signed out other devices.',
    signOutFailed: (reason: string) => `Couldn’t sign out. ${reason}`,
  },
  de: {
    home: 'Startseite',
    description: 'Das Ergebnis der Abmeldung.',
    signedOutOthers: 'Andere Geräte wurden abgemeldet.',
    signOutFailed: (reason: string) => `Abmeldung fehlgeschlagen. ${reason}`,
  },
});
