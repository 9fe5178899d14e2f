/** Texts about unsent data in the browser: edits of the board, and uploads. */
import { defineTexts } from './define-texts.ts';

export const unsentTexts = defineTexts({
  en: {
    signOut: {
      title: 'Sign out without sending?',
      text: (count: number) =>
        count === 1
          ? '1 change to the board is not sent yet. If you sign out now, it is deleted from this device and lost.'
          : `${count} changes to the board are not sent yet. If you sign out now, they are deleted from this device and lost.`,
      uploads: (count: number) =>
        count === 1
          ? '1 file is still on its way. If you sign out now, it does not arrive.'
          : `${count} files are still on their way. If you sign out now, they do not arrive.`,
      stay: 'Stay signed in',
      leave: 'Sign out and delete',
      stopUploads: 'Sign out and stop',
    },
    login: {
      title: 'Unsent changes on this device',
      text: (count: number) =>
        count === 1
          ? '1 change to the board waits here. It is sent when the person who made it signs in on this device again.'
          : `${count} changes to the board wait here. They are sent when the people who made them sign in on this device again.`,
      delete: 'Delete',
      ask: 'What is deleted cannot be brought back.',
      deleteYes: 'Delete for good',
      keep: 'Keep',
    },
  },
  de: {
    signOut: {
      title: 'Abmelden, ohne zu senden?',
      text: (count: number) =>
        count === 1
          ? '1 Änderung an der Tafel ist noch nicht gesendet. Wenn Sie sich jetzt abmelden, wird sie von diesem Gerät gelöscht und ist verloren.'
          : `${count} Änderungen an der Tafel sind noch nicht gesendet. Wenn Sie sich jetzt abmelden, werden sie von diesem Gerät gelöscht und sind verloren.`,
      uploads: (count: number) =>
        count === 1
          ? '1 Datei ist noch unterwegs. Wenn Sie sich jetzt abmelden, kommt sie nicht an.'
          : `${count} Dateien sind noch unterwegs. Wenn Sie sich jetzt abmelden, kommen sie nicht an.`,
      stay: 'Angemeldet bleiben',
      leave: 'Abmelden und löschen',
      stopUploads: 'Abmelden und abbrechen',
    },
    login: {
      title: 'Nicht gesendete Änderungen auf diesem Gerät',
      text: (count: number) =>
        count === 1
          ? '1 Änderung an der Tafel wartet hier. Sie wird gesendet, sobald sich auf diesem Gerät wieder anmeldet, wer sie gemacht hat.'
          : `${count} Änderungen an der Tafel warten hier. Sie werden gesendet, sobald sich auf diesem Gerät wieder anmeldet, wer sie gemacht hat.`,
      delete: 'Löschen',
      ask: 'Was gelöscht ist, lässt sich nicht zurückholen.',
      deleteYes: 'Endgültig löschen',
      keep: 'Behalten',
    },
  },
});
