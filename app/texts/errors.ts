/**
 * Texts of the error pages. Sentences are known by codes, so that whatever raises an error need not know who reads it;
 * programs are told the English one. Headings are in `error-titles.ts`, because every page knows those.
 */
import { defineTexts } from './define-texts.ts';

export const errorTexts = defineTexts({
  en: {
    goHome: 'Go back home',
    goBack: 'Go back',
    sentences: {
      pageNotFound: (path: string) => `Page not found: ${path}`,
      invalidRoute: (path: string) => `Page Not Found: ${path}`,
      wrongMethod: 'This page does not take that kind of request.',
      methodRefused: (method: string) => `A page does not answer ${method}.`,
      notUnderstood: 'The request could not be understood.',
      unknownHost: 'The request does not name a valid host.',
      badAddress: 'The address is not valid.',
      foreignForm: 'The request comes from another site.',
      notAForm: (type: string) => `A page takes only forms (${type}).`,
      formTooLarge: (kib: string) => `The form is too large: at most ${kib} KiB are taken.`,
      unclearForm: 'This form does not say what to do.',
      backendUnreachable:
        'The sign-in service cannot be reached right now. Nothing is lost; please try again in a moment.',
      unexpected: 'Something went wrong on our side.',
      unexpectedWithId: (id: string) => `Something went wrong on our side. Request id: ${id}`,
    },
  },
  de: {
    goHome: 'Zur Startseite',
    goBack: 'Zurück',
    sentences: {
      pageNotFound: (path: string) => `Diese Seite gibt es nicht: ${path}`,
      invalidRoute: (path: string) => `Diese Adresse führt zu keiner Seite: ${path}`,
      wrongMethod: 'Diese Seite nimmt solche Anfragen nicht an.',
      methodRefused: (method: string) => `Eine Seite beantwortet ${method} nicht.`,
      notUnderstood: 'Die Anfrage war nicht zu verstehen.',
      unknownHost: 'Die Anfrage nennt keinen gültigen Host.',
      badAddress: 'Die Adresse ist ungültig.',
      foreignForm: 'Die Anfrage kommt von einer anderen Website.',
      notAForm: (type: string) => `Eine Seite nimmt nur Formulare an (${type}).`,
      formTooLarge: (kib: string) => `Das Formular ist zu groß: Es dürfen höchstens ${kib} KiB sein.`,
      unclearForm: 'Dieses Formular sagt nicht, was zu tun ist.',
      backendUnreachable:
        'Der Anmeldedienst ist gerade nicht erreichbar. Es ist nichts verloren; versuchen Sie es gleich noch einmal.',
      unexpected: 'Bei uns ist etwas schiefgegangen.',
      unexpectedWithId: (id: string) => `Bei uns ist etwas schiefgegangen. Anfrage-Nummer: ${id}`,
    },
  },
});

/** Name of a sentence. */
export type ErrorCode = keyof (typeof errorTexts)['en']['sentences'];
