/** Names of the pages in `shell/navigation.ts`: the label of a link, and the name of the page's keyboard shortcut. */
import { defineTexts } from './define-texts.ts';

export const pageNameTexts = defineTexts({
  en: {
    home: { label: 'Home', goTo: 'Go to Home' },
    overview: { label: 'Overview', goTo: 'Go to the overview' },
    users: { label: 'Users', goTo: 'Go to Users' },
    policies: { label: 'Policies', goTo: 'Go to Policies' },
    tables: { label: 'Tables', goTo: 'Go to Tables' },
    sql: { label: 'SQL', goTo: 'Go to SQL' },
    mailbox: { label: 'Mailbox', goTo: 'Go to Mailbox' },
    logs: { label: 'Logs', goTo: 'Go to Logs' },
    settings: { label: 'Settings', goTo: 'Go to Settings' },
    components: { label: 'Components', goTo: 'Go to Components' },
    signIn: { label: 'Sign in', goTo: 'Go to sign-in' },
    signUp: { label: 'Create account', goTo: 'Create account' },
  },
  de: {
    home: { label: 'Startseite', goTo: 'Zur Startseite' },
    overview: { label: 'Übersicht', goTo: 'Zur Übersicht' },
    users: { label: 'Benutzer', goTo: 'Zu den Benutzern' },
    policies: { label: 'Richtlinien', goTo: 'Zu den Richtlinien' },
    tables: { label: 'Tabellen', goTo: 'Zu den Tabellen' },
    sql: { label: 'SQL', goTo: 'Zu SQL' },
    mailbox: { label: 'Postfach', goTo: 'Zum Postfach' },
    logs: { label: 'Protokolle', goTo: 'Zu den Protokollen' },
    settings: { label: 'Einstellungen', goTo: 'Zu den Einstellungen' },
    components: { label: 'Komponenten', goTo: 'Zu den Komponenten' },
    signIn: { label: 'Anmelden', goTo: 'Zur Anmeldung' },
    signUp: { label: 'Konto erstellen', goTo: 'Konto erstellen' },
  },
});
