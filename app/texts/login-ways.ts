/** Texts of optional sign-in methods, and the notice after an account was deleted. */
import { defineTexts } from './define-texts.ts';

export const loginWaysTexts = defineTexts({
  en: {
    passkey: 'Sign in with a passkey',
    anonymous: 'Continue without an account',
    anonymousHint: 'You can add an address and a password later.',
    deleted: 'Your account is deleted',
    deletedText: 'Everything that belonged to it is gone, and you are signed out everywhere.',
  },
  de: {
    passkey: 'Mit Passkey anmelden',
    anonymous: 'Ohne Konto weiter',
    anonymousHint: 'Adresse und Passwort können Sie später angeben.',
    deleted: 'Ihr Konto ist gelöscht',
    deletedText: 'Alles, was dazugehörte, ist weg, und Sie sind überall abgemeldet.',
  },
});
