/** Texts of components with fixed texts. */
import { defineTexts } from './define-texts.ts';

export const uiTexts = defineTexts({
  en: {
    close: 'Close',
    notification: 'Notification',
    copied: 'Copied',
    copyRefused: 'Your browser did not allow copying',
    loading: 'Loading',
    showWhole: 'Show what is still missing',
    previous: 'Previous',
    next: 'Next',
    showPassword: 'Show password',
    capsLock: 'Caps Lock is on.',
    none: 'None',
    notLoaded: 'That could not be loaded. Check your connection and try again.',
  },
  de: {
    close: 'Schließen',
    notification: 'Benachrichtigung',
    copied: 'Kopiert',
    copyRefused: 'Ihr Browser hat das Kopieren nicht erlaubt',
    loading: 'Wird geladen',
    showWhole: 'Anzeigen, was noch fehlt',
    previous: 'Zurück',
    next: 'Weiter',
    showPassword: 'Passwort anzeigen',
    capsLock: 'Die Feststelltaste ist aktiviert.',
    none: 'Keine',
    notLoaded:
      'Das konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },
});
