/** Texts of the navigation and the account menu, which only signed-in users see. */
import { defineTexts } from './define-texts.ts';

export const navigationTexts = defineTexts({
  en: {
    mainNavigation: 'Main',
    home: 'Home',
    yourAccount: 'Your account',
    admin: 'Admin',
    accountOf: (name: string) => `Account of ${name}`,
    anonymous: 'Account without an address',
    account: 'Account',
    signedInAs: 'Signed in as',
    keyboardHelp: 'Keyboard shortcuts',
    signOut: {
      local: 'Sign out of this device',
      others: 'Sign out other devices',
      global: 'Sign out everywhere',
    },
    signOutOffline: 'You are offline and still signed in. Please try again when you are back.',
  },
  de: {
    mainNavigation: 'Hauptnavigation',
    home: 'Startseite',
    yourAccount: 'Ihr Konto',
    admin: 'Verwaltung',
    accountOf: (name: string) => `Konto von ${name}`,
    anonymous: 'Konto ohne Adresse',
    account: 'Konto',
    signedInAs: 'Angemeldet als',
    keyboardHelp: 'Tastenkürzel',
    signOut: {
      local: 'Auf diesem Gerät abmelden',
      others: 'Andere Geräte abmelden',
      global: 'Überall abmelden',
    },
    signOutOffline:
      'Sie sind offline und noch angemeldet. Versuchen Sie es noch einmal, sobald Sie wieder verbunden sind.',
  },
});
