/**
 * Texts of the error pages. Code that raises an error uses a text's name as its code and needs no language;
 * API clients receive the English text. Headings are in `error-titles.ts`, because every page loads them.
 */
import { defineTexts } from './define-texts.ts';

export const errorTexts = defineTexts({
  en: {
    goHome: 'Go back home',
    goBack: 'Go back',
    retryIn: (seconds: number) => `The page tries again by itself in ${seconds} s.`,
    retrying: 'Trying again…',
    retryStopped: 'The page no longer tries again by itself.',
    stopRetrying: 'Stop',
    sentences: {
      pageNotFound: (path: string) => `Page not found: ${path}`,
      invalidRoute: (path: string) => `Page Not Found: ${path}`,
      wrongMethod: 'This page does not take that kind of request.',
      methodRefused: (method: string) => `A page does not answer ${method}.`,
      notUnderstood: 'The request could not be understood: its form or its address is not one of this page.',
      unknownHost: 'The address has no valid host name.',
      badAddress: 'The address is not valid: it must be a path that begins with “/”.',
      badEscape: (sequence: string) =>
        `The address is not valid: “${sequence}” must be “%” and two hexadecimal digits; “%25” stands for “%” itself.`,
      badEncoding: (escapes: string) => `The address is not valid: “${escapes}” is not encoded as UTF-8.`,
      foreignForm: 'The request comes from another site.',
      notAForm: (type: string) => `A page takes only forms (${type}).`,
      formTooLarge: (kib: string) => `The form is too large: at most ${kib} KiB are taken.`,
      unclearForm: 'This form does not say what to do. Go back, reload the page and send it again.',
      backendUnreachable:
        'The sign-in service cannot be reached right now. Nothing is lost; please try again in a moment.',
      unexpected: 'Something went wrong on our side.',
      unexpectedWithId: (id: string) => `Something went wrong on our side. Request id: ${id}`,
    },
  },
  de: {
    goHome: 'Zur Startseite',
    goBack: 'Zurück',
    retryIn: (seconds: number) => `Die Seite versucht es in ${seconds} s von selbst noch einmal.`,
    retrying: 'Noch ein Versuch …',
    retryStopped: 'Die Seite versucht es nicht mehr von selbst.',
    stopRetrying: 'Nicht mehr versuchen',
    sentences: {
      pageNotFound: (path: string) => `Diese Seite gibt es nicht: ${path}`,
      invalidRoute: (path: string) => `Diese Adresse führt zu keiner Seite: ${path}`,
      wrongMethod: 'Diese Seite nimmt solche Anfragen nicht an.',
      methodRefused: (method: string) => `Eine Seite beantwortet ${method} nicht.`,
      notUnderstood:
        'Die Anfrage war nicht zu verstehen: Formular oder Adresse gehören nicht zu dieser Seite.',
      unknownHost: 'Die Adresse hat keinen gültigen Hostnamen.',
      badAddress: 'Die Adresse ist ungültig: Sie muss ein Pfad sein, der mit „/“ beginnt.',
      badEscape: (sequence: string) =>
        `Die Adresse ist ungültig: „${sequence}“ muss „%“ mit zwei hexadezimalen Ziffern sein; „%25“ steht für „%“ selbst.`,
      badEncoding: (escapes: string) =>
        `Die Adresse ist ungültig: „${escapes}“ ist nicht in UTF-8 geschrieben.`,
      foreignForm: 'Die Anfrage kommt von einer anderen Website.',
      notAForm: (type: string) => `Eine Seite nimmt nur Formulare an (${type}).`,
      formTooLarge: (kib: string) => `Das Formular ist zu groß: Es dürfen höchstens ${kib} KiB sein.`,
      unclearForm:
        'Dieses Formular sagt nicht, was zu tun ist. Gehen Sie zurück, laden Sie die Seite neu und senden Sie es noch einmal.',
      backendUnreachable:
        'Der Anmeldedienst ist gerade nicht erreichbar. Es ist nichts verloren; versuchen Sie es gleich noch einmal.',
      unexpected: 'Bei uns ist etwas schiefgegangen.',
      unexpectedWithId: (id: string) => `Bei uns ist etwas schiefgegangen. Anfrage-Nummer: ${id}`,
    },
  },
});

export type ErrorCode = keyof (typeof errorTexts)['en']['sentences'];
