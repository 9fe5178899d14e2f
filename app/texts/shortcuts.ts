/** Names of shortcuts, and texts of the keyboard help. */
import { defineTexts } from './define-texts.ts';

export const shortcutTexts = defineTexts({
  en: {
    title: 'Keyboard shortcuts',
    description: 'Run common actions from the keyboard.',
    scopes: {
      everywhere: 'General',
      signedIn: 'When signed in',
      admins: 'For administrators',
      signedOut: 'When signed out',
    },
    names: {
      palette: 'Open command palette',
      help: 'Show keyboard shortcuts',
      colourMode: 'Switch colour mode',
      notifications: 'Go to notifications',
    },
    singleKeys: 'Single-key shortcuts',
    singleKeysHint: 'Turn them off if you use speech input or press keys by accident.',
  },
  de: {
    title: 'Tastenkürzel',
    description: 'Führen Sie häufige Aktionen mit der Tastatur aus.',
    scopes: {
      everywhere: 'Allgemein',
      signedIn: 'Wenn Sie angemeldet sind',
      admins: 'Für Administratoren',
      signedOut: 'Wenn Sie abgemeldet sind',
    },
    names: {
      palette: 'Befehlspalette öffnen',
      help: 'Tastenkürzel anzeigen',
      colourMode: 'Farbmodus wechseln',
      notifications: 'Zu den Benachrichtigungen',
    },
    singleKeys: 'Tastenkürzel mit einzelnen Tasten',
    singleKeysHint:
      'Deaktivieren Sie diese Tastenkürzel, wenn Sie die Spracheingabe verwenden oder Tasten versehentlich drücken.',
  },
});
