/**
 * Names of the pages in `shell/navigation.ts`: the label of a link, the action of its shortcut, and
 * additional search words for the palette.
 */
import { defineTexts } from './define-texts.ts';

export const pageNameTexts = defineTexts({
  en: {
    home: { label: 'Home', goTo: 'Go to home', words: 'start profile account session' },
    users: { label: 'Users', goTo: 'Go to the users', words: 'admin administration people accounts list' },
    mailbox: {
      label: 'Mailbox',
      goTo: 'Go to the mailbox',
      words: 'admin messages emails mails sms codes outbox inbox',
    },
    components: {
      label: 'Components',
      goTo: 'Go to the components',
      words: 'admin design system catalogue ui library',
    },
    signIn: { label: 'Sign in', goTo: 'Go to sign in', words: 'log in login password' },
    signUp: { label: 'Create an account', goTo: 'Create an account', words: 'sign up register join new' },
  },
  de: {
    home: { label: 'Startseite', goTo: 'Zur Startseite', words: 'Start Home Profil Konto Sitzung' },
    users: { label: 'Benutzer', goTo: 'Zu den Benutzern', words: 'Verwaltung Admin Personen Konten Liste' },
    mailbox: {
      label: 'Postfach',
      goTo: 'Zum Postfach',
      words: 'Verwaltung Admin Nachrichten E-Mails Mails SMS Codes Postausgang',
    },
    components: {
      label: 'Bausteine',
      goTo: 'Zu den Bausteinen',
      words: 'Verwaltung Admin Entwurf Komponenten Katalog Bibliothek',
    },
    signIn: { label: 'Anmelden', goTo: 'Zur Anmeldung', words: 'Anmeldung einloggen Passwort' },
    signUp: {
      label: 'Konto erstellen',
      goTo: 'Konto erstellen',
      words: 'registrieren Registrierung beitreten neu',
    },
  },
});
