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
    alwaysDark: 'This page is always dark',
    alwaysLight: 'This page is always light',
    sharePicture: 'The Greenroom logo, an open door and the words “A room of your own, behind one door.”',
  },
  de: {
    tryAgain: 'Erneut versuchen',
    mainNavigation: 'Hauptnavigation',
    skipToContent: 'Zum Inhalt springen',
    loadingPage: 'Seite wird geladen',
    language: 'Sprache',
    colourMode: 'Farbmodus',
    colourModes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
    alwaysDark: 'Diese Seite ist immer dunkel',
    alwaysLight: 'Diese Seite ist immer hell',
    sharePicture:
      'Das Greenroom-Logo, eine offene Tür und die Worte „Ein eigener Raum hinter einer einzigen Tür.“',
  },
});
