/**
 * Texts of the command palette. Each command has additional search words. The search uses the words of
 * every language, since users may know a command by a name in another language.
 */
import { plural } from '../lib/format/plural.ts';
import { defineTexts } from './define-texts.ts';

export const paletteTexts = defineTexts({
  en: {
    title: 'Command palette',
    search: 'Search or jump to',
    placeholder: 'Search or jump to…',
    commands: 'Commands',
    found: plural('en', { one: '1 command', other: (count) => `${count} commands` }),
    results: plural('en', { one: '1 result', other: (count) => `${count} results` }),
    searching: 'Searching…',
    allUsers: (query: string) => `Search all users for “${query}”`,
    hitProblems: {
      offline:
        'The search for people, tables and settings needs a connection. Check your connection and try again.',
      refused: 'To find people, tables and settings, open the admin area and confirm your access.',
      failed: 'The search for people, tables and settings is not available. Try again in a moment.',
    },
    retry: 'Try again',
    noResults: (query: string) => `No results for “${query}”`,
    noResultsHint: 'Try another word in English or German.',
    keys: { navigate: 'Navigate', select: 'Select', close: 'Close' },
    groups: {
      recent: 'Recent',
      pages: 'Go to',
      session: 'Session',
      appearance: 'Appearance',
      language: 'Language',
      help: 'Help',
      people: 'People',
      tables: 'Tables',
      settings: 'Settings',
    },
    pageWords: {
      home: 'start dashboard board notes files profile session',
      overview: 'admin administration health status version',
      users: 'admin administration people members accounts list',
      policies: 'admin policies rls row-level security grants roles access try as advisors lints',
      tables: 'admin database data rows columns schemas views editor import export csv',
      sql: 'admin database query queries statements explain editor postgres',
      logs: 'admin requests errors tail audit changes history',
      mailbox: 'admin messages emails mails sms text codes outbox inbox templates deliveries retry',
      settings:
        'admin configuration config.toml keys api publishable anon rotate providers oauth smtp captcha hooks redirects rate limits',
      components: 'admin design system catalogue catalog ui library',
      signIn: 'log in login password',
      signUp: 'sign up signup register join new',
    },
    signOut: {
      local: { label: 'Sign out', words: 'log out logout log off exit leave this device' },
      others: {
        label: 'Sign out other devices',
        words: 'log out logout end revoke sessions remote lost phone',
      },
      global: { label: 'Sign out everywhere', words: 'log out logout end revoke sessions all devices' },
    },
    colourModes: {
      system: { label: 'Use system colours', words: 'system colour color mode theme automatic auto' },
      light: { label: 'Use light mode', words: 'light colours colors mode theme bright day' },
      dark: { label: 'Use dark mode', words: 'dark colours colors mode theme night black' },
    },
    languageWords: { en: 'language English', de: 'language German' },
    help: { label: 'Keyboard shortcuts', words: 'keys hotkeys key bindings help' },
    current: 'Current',
    confirm: {
      others: {
        title: 'Sign out other devices?',
        text: 'All other devices are signed out of your account. This device stays signed in.',
      },
      global: {
        title: 'Sign out everywhere?',
        text: 'All devices, including this one, are signed out of your account.',
      },
      cancel: 'Cancel',
    },
  },
  de: {
    title: 'Befehlspalette',
    search: 'Befehle suchen',
    placeholder: 'Befehle suchen …',
    commands: 'Befehle',
    found: plural('de', { one: '1 Befehl', other: (count) => `${count} Befehle` }),
    results: plural('de', { one: '1 Ergebnis', other: (count) => `${count} Ergebnisse` }),
    searching: 'Wird gesucht …',
    allUsers: (query: string) => `Alle Benutzer nach „${query}“ durchsuchen`,
    hitProblems: {
      offline:
        'Personen, Tabellen und Einstellungen werden nicht gefunden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
      refused:
        'Um Personen, Tabellen und Einstellungen zu finden, öffnen Sie die Verwaltung und bestätigen Sie Ihren Zugriff.',
      failed:
        'Personen, Tabellen und Einstellungen werden gerade nicht gefunden. Versuchen Sie es gleich noch einmal.',
    },
    retry: 'Erneut versuchen',
    noResults: (query: string) => `Keine Ergebnisse für „${query}“`,
    noResultsHint: 'Versuchen Sie ein anderes Wort auf Deutsch oder Englisch.',
    keys: { navigate: 'Navigieren', select: 'Auswählen', close: 'Schließen' },
    groups: {
      recent: 'Zuletzt verwendet',
      pages: 'Seiten',
      session: 'Sitzung',
      appearance: 'Darstellung',
      language: 'Sprache',
      help: 'Hilfe',
      people: 'Personen',
      tables: 'Tabellen',
      settings: 'Einstellungen',
    },
    pageWords: {
      home: 'Start Home Übersicht Pinnwand Notizen Dateien Profil Sitzung',
      overview: 'Verwaltung Admin Zustand Status Version',
      users: 'Verwaltung Admin Nutzer Personen Mitglieder Konten Liste',
      policies: 'Verwaltung Admin Richtlinien RLS Zeilen Sicherheit Rechte Rollen Zugriff Hinweise',
      tables: 'Verwaltung Admin Datenbank Daten Zeilen Spalten Schemata Sichten Import Export CSV',
      sql: 'Verwaltung Admin Datenbank Abfrage Abfragen Anweisungen Plan Editor',
      logs: 'Verwaltung Admin Anfragen Fehler Log Änderungen Verlauf',
      mailbox: 'Verwaltung Admin Nachrichten E-Mails Mails SMS Codes Postausgang Vorlagen Zustellungen',
      settings:
        'Verwaltung Admin Konfiguration config.toml Schlüssel API rotieren Anbieter OAuth SMTP Captcha Hooks Weiterleitungen Ratenbegrenzung',
      components: 'Verwaltung Admin Designsystem Bausteine Katalog Bibliothek',
      signIn: 'Anmeldung einloggen Login Passwort',
      signUp: 'registrieren Registrierung beitreten neu',
    },
    signOut: {
      local: { label: 'Abmelden', words: 'ausloggen Abmeldung beenden verlassen dieses Gerät' },
      others: { label: 'Andere Geräte abmelden', words: 'ausloggen Sitzungen beenden verloren Handy' },
      global: { label: 'Überall abmelden', words: 'ausloggen alle Geräte Sitzungen beenden' },
    },
    colourModes: {
      system: { label: 'Systemfarben verwenden', words: 'System Farbmodus Design automatisch' },
      light: { label: 'Hellen Modus verwenden', words: 'Farbmodus Design Tag hell' },
      dark: { label: 'Dunklen Modus verwenden', words: 'Farbmodus Design Nacht dunkel schwarz' },
    },
    languageWords: { en: 'Sprache Englisch', de: 'Sprache Deutsch' },
    help: { label: 'Tastenkürzel', words: 'Tastatur Tastenkombinationen Hilfe Kürzel' },
    current: 'Aktuell',
    confirm: {
      others: {
        title: 'Andere Geräte abmelden?',
        text: 'Alle anderen Geräte werden von Ihrem Konto abgemeldet. Dieses Gerät bleibt angemeldet.',
      },
      global: {
        title: 'Überall abmelden?',
        text: 'Alle Geräte, auch dieses, werden von Ihrem Konto abgemeldet.',
      },
      cancel: 'Abbrechen',
    },
  },
});
