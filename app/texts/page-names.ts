/**
 * Names of the pages in `shell/navigation.ts`: the label of a link, the name of the page's keyboard shortcut, and
 * additional search words for the palette.
 */
import { defineTexts } from './define-texts.ts';

export const pageNameTexts = defineTexts({
  en: {
    home: {
      label: 'Home',
      goTo: 'Go to Home',
      words: 'start dashboard board notes files profile session',
    },
    users: {
      label: 'Users',
      goTo: 'Go to Users',
      words: 'admin administration people members accounts list',
    },
    mailbox: {
      label: 'Mailbox',
      goTo: 'Go to Mailbox',
      words: 'admin messages emails mails sms text codes outbox inbox',
    },
    components: {
      label: 'Components',
      goTo: 'Go to Components',
      words: 'admin design system catalogue catalog ui library',
    },
    signIn: { label: 'Sign in', goTo: 'Go to sign-in', words: 'log in login password' },
    signUp: { label: 'Create account', goTo: 'Create account', words: 'sign up signup register join new' },
  },
  de: {
    home: {
      label: 'Startseite',
      goTo: 'Zur Startseite',
      words: 'Start Home Übersicht Pinnwand Notizen Dateien Profil Sitzung',
    },
    users: {
      label: 'Benutzer',
      goTo: 'Zu den Benutzern',
      words: 'Verwaltung Admin Nutzer Personen Mitglieder Konten Liste',
    },
    mailbox: {
      label: 'Postfach',
      goTo: 'Zum Postfach',
      words: 'Verwaltung Admin Nachrichten E-Mails Mails SMS Codes Postausgang',
    },
    components: {
      label: 'Komponenten',
      goTo: 'Zu den Komponenten',
      words: 'Verwaltung Admin Designsystem Bausteine Katalog Bibliothek',
    },
    signIn: { label: 'Anmelden', goTo: 'Zur Anmeldung', words: 'Anmeldung einloggen Login Passwort' },
    signUp: {
      label: 'Konto erstellen',
      goTo: 'Konto erstellen',
      words: 'registrieren Registrierung beitreten neu',
    },
  },
});
