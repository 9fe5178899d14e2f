/** Texts about unsent changes in the browser: edits, and uploads. A product can name its edits by a file of this name. */
import { plural } from '../lib/format/plural.ts';
import { defineTexts } from './define-texts.ts';

export const unsentChangesTexts = defineTexts({
  en: {
    signOut: {
      title: 'Sign out now?',
      edits: plural('en', {
        one: '1 change hasn’t been sent yet. If you sign out now, it will be lost.',
        other: (count) => `${count} changes haven’t been sent yet. If you sign out now, they will be lost.`,
      }),
      uploads: plural('en', {
        one: '1 file is still uploading. If you sign out now, the upload is cancelled.',
        other: (count) =>
          `${count} files are still uploading. If you sign out now, the uploads are cancelled.`,
      }),
      cancel: 'Cancel',
      deleteEdits: 'Sign out and delete changes',
      cancelUploads: 'Sign out and cancel uploads',
    },
    login: {
      title: 'Unsent changes on this device',
      text: plural('en', {
        one: '1 change hasn’t been sent yet. It’s sent when the user who made it signs in on this device.',
        other: (count) =>
          `${count} changes haven’t been sent yet. They’re sent when the users who made them sign in on this device.`,
      }),
      delete: 'Delete changes',
      confirmText: 'Delete the unsent changes? This can’t be undone.',
      confirm: 'Delete permanently',
      cancel: 'Cancel',
    },
  },
  de: {
    signOut: {
      title: 'Jetzt abmelden?',
      edits: plural('de', {
        one: '1 Änderung wurde noch nicht gesendet. Wenn Sie sich jetzt abmelden, geht sie verloren.',
        other: (count) =>
          `${count} Änderungen wurden noch nicht gesendet. Wenn Sie sich jetzt abmelden, gehen sie verloren.`,
      }),
      uploads: plural('de', {
        one: '1 Datei wird noch hochgeladen. Wenn Sie sich jetzt abmelden, wird der Upload abgebrochen.',
        other: (count) =>
          `${count} Dateien werden noch hochgeladen. Wenn Sie sich jetzt abmelden, werden die Uploads abgebrochen.`,
      }),
      cancel: 'Abbrechen',
      deleteEdits: 'Abmelden und Änderungen löschen',
      cancelUploads: 'Abmelden und Uploads abbrechen',
    },
    login: {
      title: 'Nicht gesendete Änderungen auf diesem Gerät',
      text: plural('de', {
        one: '1 Änderung wurde noch nicht gesendet. Sie wird gesendet, sobald sich der Benutzer, von dem sie stammt, auf diesem Gerät anmeldet.',
        other: (count) =>
          `${count} Änderungen wurden noch nicht gesendet. Sie werden gesendet, sobald sich die Benutzer, von denen sie stammen, auf diesem Gerät anmelden.`,
      }),
      delete: 'Änderungen löschen',
      confirmText: 'Nicht gesendete Änderungen löschen? Dies kann nicht rückgängig gemacht werden.',
      confirm: 'Endgültig löschen',
      cancel: 'Abbrechen',
    },
  },
});
