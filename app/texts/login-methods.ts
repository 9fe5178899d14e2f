/** Texts of optional sign-in methods, and the notice after an account was deleted. */
import { defineTexts } from './define-texts.ts';

export const loginMethodsTexts = defineTexts({
  en: {
    passkey: 'Sign in with a passkey',
    guest: 'Continue as guest',
    guestHint: 'You can add an email address and a password later.',
    deletedTitle: 'Account deleted',
    deletedText: 'All data of your account was deleted, and you’re signed out everywhere.',
  },
  de: {
    passkey: 'Mit Passkey anmelden',
    guest: 'Als Gast fortfahren',
    guestHint: 'E-Mail-Adresse und Passwort können Sie später hinzufügen.',
    deletedTitle: 'Konto gelöscht',
    deletedText: 'Alle Daten Ihres Kontos wurden gelöscht, und Sie sind überall abgemeldet.',
  },
});
