/** Texts around every page: the frame, its navigation, the account menu and the settings of the screen. */
import { defineTexts } from './define-texts.ts';

export const commonTexts = defineTexts({
  en: {
    skipToContent: 'Skip to content',
    loadingPage: 'Loading page',
    mainNavigation: 'Main',
    room: 'Room',
    yourRoom: 'Your room',
    admin: 'Admin',
    adminSections: { users: 'Users', components: 'Components' },
    accountOf: (name: string) => `Account of ${name}`,
    account: 'Account',
    signedInAs: 'Signed in as',
    signOut: {
      local: 'Sign out of this device',
      others: 'Sign out other devices',
      global: 'Sign out everywhere',
    },
    language: 'Language',
    colourMode: 'Colour mode',
    colourModes: { system: 'System', light: 'Light', dark: 'Dark' },
    alwaysDark: 'This page is always dark',
    alwaysLight: 'This page is always light',
    sharePicture: 'The sign of Greenroom, a door, and the words: a room of your own, behind one door.',
  },
  de: {
    skipToContent: 'Zum Inhalt springen',
    loadingPage: 'Seite wird geladen',
    mainNavigation: 'Hauptnavigation',
    room: 'Raum',
    yourRoom: 'Ihr Raum',
    admin: 'Verwaltung',
    adminSections: { users: 'Benutzer', components: 'Bausteine' },
    accountOf: (name: string) => `Konto von ${name}`,
    account: 'Konto',
    signedInAs: 'Angemeldet als',
    signOut: {
      local: 'Auf diesem Gerät abmelden',
      others: 'Andere Geräte abmelden',
      global: 'Überall abmelden',
    },
    language: 'Sprache',
    colourMode: 'Farbmodus',
    colourModes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
    alwaysDark: 'Diese Seite ist immer dunkel',
    alwaysLight: 'Diese Seite ist immer hell',
    sharePicture:
      'Das Zeichen von Greenroom, eine Tür, und die Worte: ein eigener Raum hinter einer einzigen Tür.',
  },
});
