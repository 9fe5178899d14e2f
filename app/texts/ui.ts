/** Texts of components with fixed texts. */
import { defineTexts } from './define-texts.ts';

export const uiTexts = defineTexts({
  en: {
    close: 'Close',
    notification: 'Notification',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy. Select the text and copy it manually.',
    loading: 'Loading…',
    loadWholePage: 'Load the rest of this page',
    previous: 'Previous',
    next: 'Next',
    showPassword: 'Show password',
    capsLock: 'Caps Lock is on.',
    notLoaded: 'Loading failed. Check your connection and try again.',
  },
  de: {
    close: 'Schließen',
    notification: 'Benachrichtigung',
    copied: 'Kopiert',
    copyFailed: 'Kopieren fehlgeschlagen. Markieren Sie den Text und kopieren Sie ihn manuell.',
    loading: 'Wird geladen …',
    loadWholePage: 'Rest der Seite laden',
    previous: 'Zurück',
    next: 'Weiter',
    showPassword: 'Passwort anzeigen',
    capsLock: 'Die Feststelltaste ist aktiviert.',
    notLoaded: 'Laden fehlgeschlagen. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
});
