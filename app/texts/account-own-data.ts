/** Texts of the cards to export the user's data and to delete the account. */
import { defineTexts } from './define-texts.ts';

export const ownDataTexts = defineTexts({
  en: {
    exportTitle: 'Export your data',
    exportLead: 'Everything this site stores about you, as a JSON file.',
    exportButton: 'Download data',
    exportFailed: 'Couldn’t export your data. Try again in a minute.',
    deleteTitle: 'Delete account',
    deleteLead: 'Permanently deletes your account and all its data. This can’t be undone.',
    deleteButton: 'Delete account…',
    confirmTitle: 'Delete your account?',
    confirmText:
      'This deletes your account and all its data, and signs you out everywhere. This can’t be undone.',
    confirmationWord: 'DELETE',
    confirmationField: (word: string) => `To confirm, type ${word}`,
    wordMismatch: 'The text doesn’t match. Type it as shown.',
    passwordHint: 'Leave this field empty if you don’t have a password.',
    passwordMissing: 'Enter your password.',
    passwordWrong: 'Incorrect password. Try again.',
    confirm: 'Delete account',
    cancel: 'Cancel',
    deleteFailed: 'Couldn’t delete your account. Try again.',
  },
  de: {
    exportTitle: 'Daten exportieren',
    exportLead: 'Alles, was diese Website über Sie speichert, als JSON-Datei.',
    exportButton: 'Daten herunterladen',
    exportFailed: 'Ihre Daten konnten nicht exportiert werden. Versuchen Sie es in einer Minute erneut.',
    deleteTitle: 'Konto löschen',
    deleteLead:
      'Löscht Ihr Konto und alle zugehörigen Daten endgültig. Dies kann nicht rückgängig gemacht werden.',
    deleteButton: 'Konto löschen …',
    confirmTitle: 'Konto löschen?',
    confirmText:
      'Ihr Konto und alle zugehörigen Daten werden gelöscht, und Sie werden überall abgemeldet. Dies kann nicht rückgängig gemacht werden.',
    confirmationWord: 'LÖSCHEN',
    confirmationField: (word: string) => `Geben Sie zur Bestätigung ${word} ein`,
    wordMismatch: 'Der Text stimmt nicht überein. Geben Sie ihn wie angezeigt ein.',
    passwordHint: 'Lassen Sie das Feld leer, wenn Sie kein Passwort haben.',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    passwordWrong: 'Falsches Passwort. Versuchen Sie es erneut.',
    confirm: 'Konto löschen',
    cancel: 'Abbrechen',
    deleteFailed: 'Ihr Konto konnte nicht gelöscht werden. Versuchen Sie es erneut.',
  },
});
