/** Texts about newer builds of the app. */
import { defineTexts } from './define-texts.ts';

export const updateTexts = defineTexts({
  en: {
    title: 'A new version is ready',
    description: 'It loads with the next page, or now.',
    reload: 'Reload',
  },
  de: {
    title: 'Eine neue Version ist da',
    description: 'Sie wird mit der nächsten Seite geladen oder gleich.',
    reload: 'Neu laden',
  },
});
