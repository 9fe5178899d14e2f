/**
 * Texts of the command palette. Each command has additional search words. The search uses the words of
 * every language, since users may know a command by a name in another language.
 */
import { defineTexts } from './define-texts.ts';

export const paletteTexts = defineTexts({
  en: {
    title: 'Command palette',
    search: 'Search or jump to',
    placeholder: 'What would you like to do?',
    commands: 'Commands',
    found: (count: number) => (count === 1 ? '1 command' : `${count} commands`),
    nothing: (query: string) => `Nothing found for “${query}”`,
    nothingHint: 'Try another word, in English or German.',
    keys: { move: 'Move', choose: 'Choose', close: 'Close' },
    groups: {
      recent: 'Recent',
      pages: 'Go to',
      session: 'Session',
      appearance: 'Appearance',
      language: 'Language',
      help: 'Help',
    },
    signOut: {
      local: { label: 'Sign out of this device', words: 'log out logout leave exit' },
      others: { label: 'Sign out other devices', words: 'log out logout sessions end lost phone' },
      global: { label: 'Sign out everywhere', words: 'log out logout all devices sessions end' },
    },
    colourModes: {
      system: { label: 'Colours as on this device', words: 'system colour color mode theme automatic' },
      light: { label: 'Light colours', words: 'colour color mode theme bright day' },
      dark: { label: 'Dark colours', words: 'colour color mode theme night black' },
    },
    languageWords: { en: 'language English', de: 'language German' },
    help: { label: 'Keyboard shortcuts', words: 'keys hotkeys help' },
    isCurrent: 'Current',
    confirm: {
      others: {
        title: 'Sign out other devices?',
        text: 'Whoever is signed in to your account elsewhere has to sign in again. This device stays signed in.',
      },
      global: {
        title: 'Sign out everywhere?',
        text: 'All devices are signed out, this one as well. You will have to sign in again.',
      },
      cancel: 'Cancel',
    },
  },
  de: {
    title: 'Befehlspalette',
    search: 'Suchen oder springen',
    placeholder: 'Was möchten Sie tun?',
    commands: 'Befehle',
    found: (count: number) => (count === 1 ? '1 Befehl' : `${count} Befehle`),
    nothing: (query: string) => `Nichts gefunden für „${query}“`,
    nothingHint: 'Versuchen Sie ein anderes Wort, auf Deutsch oder Englisch.',
    keys: { move: 'Bewegen', choose: 'Wählen', close: 'Schließen' },
    groups: {
      recent: 'Zuletzt verwendet',
      pages: 'Gehen zu',
      session: 'Sitzung',
      appearance: 'Darstellung',
      language: 'Sprache',
      help: 'Hilfe',
    },
    signOut: {
      local: { label: 'Auf diesem Gerät abmelden', words: 'ausloggen Abmeldung beenden verlassen' },
      others: { label: 'Andere Geräte abmelden', words: 'ausloggen Sitzungen beenden verloren Handy' },
      global: { label: 'Überall abmelden', words: 'ausloggen alle Geräte Sitzungen beenden' },
    },
    colourModes: {
      system: { label: 'Farben wie auf diesem Gerät', words: 'System Farbmodus Design automatisch' },
      light: { label: 'Helle Farben', words: 'Farbmodus Design Tag hell' },
      dark: { label: 'Dunkle Farben', words: 'Farbmodus Design Nacht dunkel schwarz' },
    },
    languageWords: { en: 'Sprache Englisch', de: 'Sprache Deutsch' },
    help: { label: 'Tastenkürzel', words: 'Tastatur Tastenkombinationen Hilfe Kürzel' },
    isCurrent: 'Aktuell',
    confirm: {
      others: {
        title: 'Andere Geräte abmelden?',
        text: 'Wer anderswo bei Ihrem Konto angemeldet ist, muss sich neu anmelden. Dieses Gerät bleibt angemeldet.',
      },
      global: {
        title: 'Überall abmelden?',
        text: 'Alle Geräte werden abgemeldet, auch dieses. Sie müssen sich danach neu anmelden.',
      },
      cancel: 'Abbrechen',
    },
  },
});
