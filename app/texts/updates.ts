/** Texts about newer builds of the app. */
import { defineTexts } from './define-texts.ts';

export const updateTexts = defineTexts({
  en: {
    title: 'New version available',
    description: 'Reload to use it now. Otherwise, it loads with the next page.',
    reload: 'Reload',
  },
  de: {
    title: 'Neue Version verfügbar',
    description:
      'Laden Sie die Seite neu, um sie sofort zu verwenden. Sonst wird sie mit der nächsten Seite geladen.',
    reload: 'Seite neu laden',
  },
});
