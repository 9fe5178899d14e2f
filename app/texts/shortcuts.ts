/** Names of shortcuts, and the keyboard help. */
import { defineTexts } from './define-texts.ts';

export const shortcutTexts = defineTexts({
  en: {
    title: 'Keyboard shortcuts',
    description: 'What can be done without the mouse.',
    scopes: {
      everywhere: 'Everywhere',
      signedIn: 'While you are signed in',
      admins: 'For administrators',
      signedOut: 'Before you sign in',
    },
    names: {
      palette: 'Search or jump to',
      help: 'Show this help',
      colourMode: 'Next colour mode',
      notifications: 'To the notifications',
      home: 'Go to your room',
      newNote: 'Write a note',
      users: 'Go to the users',
      mailbox: 'Go to the mailbox',
      components: 'Go to the components',
      signIn: 'Go to sign in',
      signUp: 'Create an account',
    },
    singleKeys: 'Shortcuts of single keys',
    singleKeysHint: 'Turn them off if you dictate, or hit keys by accident.',
  },
  de: {
    title: 'Tastenkürzel',
    description: 'Was ohne Maus geht.',
    scopes: {
      everywhere: 'Überall',
      signedIn: 'Solange Sie angemeldet sind',
      admins: 'Für die Verwaltung',
      signedOut: 'Vor der Anmeldung',
    },
    names: {
      palette: 'Suchen oder springen',
      help: 'Diese Hilfe zeigen',
      colourMode: 'Nächster Farbmodus',
      notifications: 'Zu den Benachrichtigungen',
      home: 'Zu Ihrem Raum',
      newNote: 'Zettel schreiben',
      users: 'Zu den Benutzern',
      mailbox: 'Zum Postfach',
      components: 'Zu den Bausteinen',
      signIn: 'Zur Anmeldung',
      signUp: 'Konto erstellen',
    },
    singleKeys: 'Kürzel aus einzelnen Tasten',
    singleKeysHint: 'Schalten Sie sie aus, wenn Sie diktieren oder Tasten versehentlich treffen.',
  },
});
