/** Texts of the navigation and the account menu, which only signed-in users see. */
import { defineTexts } from './define-texts.ts';

export const navigationTexts = defineTexts({
  en: {
    mainNavigation: 'Main',
    accountNavigation: 'Account',
    home: 'Home',
    account: 'Account',
    admin: 'Admin',
    accountOf: (name: string) => `Account of ${name}`,
    guestAccount: 'Guest account',
    signedInAs: 'Signed in as',
    keyboardHelp: 'Keyboard shortcuts',
    signOut: {
      local: 'Sign out',
      others: 'Sign out other devices',
      global: 'Sign out everywhere',
    },
    signOutOffline: 'Couldn’t sign out because you’re offline. Try again when you’re back online.',
  },
  de: {
    mainNavigation: 'Hauptnavigation',
    accountNavigation: 'Konto',
    home: 'Startseite',
    account: 'Konto',
    admin: 'Verwaltung',
    accountOf: (name: string) => `Konto von ${name}`,
    guestAccount: 'Gastkonto',
    signedInAs: 'Angemeldet als',
    keyboardHelp: 'Tastenkürzel',
    signOut: {
      local: 'Abmelden',
      others: 'Andere Geräte abmelden',
      global: 'Überall abmelden',
    },
    signOutOffline:
      'Abmeldung nicht möglich, weil Sie offline sind. Versuchen Sie es erneut, sobald Sie wieder online sind.',
  },
});
