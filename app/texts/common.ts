/** Texts around every page: layout and screen settings. */
import { defineTexts } from './define-texts.ts';

export const commonTexts = defineTexts({
  en: {
    tryAgain: 'Try again',
    skipToContent: 'Skip to content',
    loadingPage: 'Loading page',
    language: 'Language',
    colourMode: 'Colour mode',
    colourModes: { system: 'System', light: 'Light', dark: 'Dark' },
    alwaysDark: 'This page is always dark',
    alwaysLight: 'This page is always light',
    sharePicture: 'A door, ajar, and the name Greenroom.',
  },
  de: {
    tryAgain: 'Noch einmal versuchen',
    skipToContent: 'Zum Inhalt springen',
    loadingPage: 'Seite wird geladen',
    language: 'Sprache',
    colourMode: 'Farbmodus',
    colourModes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
    alwaysDark: 'Diese Seite ist immer dunkel',
    alwaysLight: 'Diese Seite ist immer hell',
    sharePicture:
      'Das Zeichen von Greenroom, eine Tür, und die Worte: ein eigener Raum hinter einer einzigen Tür.',
  },
});
