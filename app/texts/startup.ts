/** Texts of the page for a failed startup. */
import { defineTexts } from './define-texts.ts';

export const startupTexts = defineTexts({
  en: {
    title: 'Internal Server Error',
    message: 'This page couldn’t start. Reload the page.',
    requestId: (id: string) => `Request ID: ${id}`,
    reload: 'Reload page',
  },
  de: {
    title: 'Interner Serverfehler',
    message: 'Diese Seite konnte nicht gestartet werden. Laden Sie die Seite neu.',
    requestId: (id) => `Anfrage-ID: ${id}`,
    reload: 'Seite neu laden',
  },
});
