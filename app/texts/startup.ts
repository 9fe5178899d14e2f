/** Texts of the page for a failed startup. */
import { defineTexts } from './define-texts.ts';

export const startupTexts = defineTexts({
  en: {
    title: 'Internal Server Error',
    message: 'This page could not be started in your browser.',
    requestId: (id: string) => `Request id: ${id}`,
    reload: 'Load it again',
  },
  de: {
    title: 'Interner Fehler',
    message: 'Diese Seite konnte in Ihrem Browser nicht gestartet werden.',
    requestId: (id) => `Anfrage-Nummer: ${id}`,
    reload: 'Neu laden',
  },
});
