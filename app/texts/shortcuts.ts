/** Names of shortcuts, and texts of the keyboard help. */
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
      newNote: 'Write a note',
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
      newNote: 'Zettel schreiben',
    },
    singleKeys: 'Kürzel aus einzelnen Tasten',
    singleKeysHint: 'Schalten Sie sie aus, wenn Sie diktieren oder Tasten versehentlich treffen.',
  },
});
