/** Texts around every page: layout and screen settings. */
import { defineTexts } from './define-texts.ts';

export const commonTexts = defineTexts({
  en: {
    tryAgain: 'Try again',
    mainNavigation: 'Main',
    skipToContent: 'Skip to content',
    loadingPage: 'Loading page',
    language: 'Language',
    colourMode: 'Colour mode',
    colourModes: { system: 'System', light: 'Light', dark: 'Dark' },
    alwaysDark: 'Always dark here',
    alwaysLight: 'Always light here',
  },
  de: {
    tryAgain: 'Erneut versuchen',
    mainNavigation: 'Hauptnavigation',
    skipToContent: 'Zum Inhalt springen',
    loadingPage: 'Seite wird geladen',
    language: 'Sprache',
    colourMode: 'Farbmodus',
    colourModes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
    alwaysDark: 'Hier immer dunkel',
    alwaysLight: 'Hier immer hell',
  },
});
