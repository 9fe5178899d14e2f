/**
 * Texts of the error pages. Code that raises an error uses a text's name as its code and needs no language;
 * API clients receive the English text. Headings are in `error-titles.ts`, because every page loads them.
 */
import { defineTexts } from './define-texts.ts';

export const errorTexts = defineTexts({
  en: {
    goHome: 'Go to Home',
    goBack: 'Go back',
    retryIn: (seconds: number) => `Trying again in ${seconds} s.`,
    retrying: 'Trying again…',
    retryStopped: 'Automatic retries are stopped.',
    stopRetrying: 'Stop retrying',
    sentences: {
      pageNotFound: (path: string) => `Page not found: ${path}`,
      invalidRoute: (path: string) => `Page Not Found: ${path}`,
      unsupportedRequest: 'This page doesn’t support this type of request.',
      methodNotAllowed: (method: string) => `Pages don’t support the method ${method}.`,
      badRequest: 'The request is invalid: its form or address doesn’t match this page.',
      invalidHost: 'The request has no valid host name.',
      invalidAddress: 'The address is invalid: it must be a path that begins with “/”.',
      invalidEscape: (sequence: string) =>
        `The address is invalid: two hexadecimal digits must follow “%” in “${sequence}”. Write “%25” for “%” itself.`,
      invalidEncoding: (escapes: string) => `The address is invalid: “${escapes}” isn’t valid UTF-8.`,
      crossSiteForm: 'The request was rejected, because it comes from another site.',
      unsupportedFormType: (type: string) => `Pages only accept forms (${type}).`,
      formTooLarge: (kib: string) => `The form is too large. The maximum is ${kib} KiB.`,
      adminsOnly: 'This page is for administrators only.',
      unclearForm: 'The form doesn’t contain a valid action. Go back, reload the page and submit it again.',
      backendUnreachable:
        'The sign-in service can’t be reached right now. Nothing was lost. Please try again in a moment.',
      unexpected: 'Something went wrong on our side.',
      unexpectedWithId: (id: string) => `Something went wrong on our side. Request ID: ${id}`,
    },
  },
  de: {
    goHome: 'Zur Startseite',
    goBack: 'Zurück',
    retryIn: (seconds: number) => `Neuer Versuch in ${seconds} s.`,
    retrying: 'Neuer Versuch läuft …',
    retryStopped: 'Die automatischen Versuche wurden beendet.',
    stopRetrying: 'Nicht mehr versuchen',
    sentences: {
      pageNotFound: (path: string) => `Seite nicht gefunden: ${path}`,
      invalidRoute: (path: string) => `Seite nicht gefunden: ${path}`,
      unsupportedRequest: 'Diese Seite unterstützt diese Art von Anfrage nicht.',
      methodNotAllowed: (method: string) => `Seiten unterstützen die Methode ${method} nicht.`,
      badRequest: 'Die Anfrage ist ungültig: Formular oder Adresse passen nicht zu dieser Seite.',
      invalidHost: 'Die Anfrage enthält keinen gültigen Hostnamen.',
      invalidAddress: 'Die Adresse ist ungültig: Sie muss ein Pfad sein, der mit „/“ beginnt.',
      invalidEscape: (sequence: string) =>
        `Die Adresse ist ungültig: In „${sequence}“ müssen auf „%“ zwei hexadezimale Ziffern folgen. Schreiben Sie „%25“ für „%“ selbst.`,
      invalidEncoding: (escapes: string) => `Die Adresse ist ungültig: „${escapes}“ ist kein gültiges UTF-8.`,
      crossSiteForm: 'Die Anfrage wurde abgelehnt, weil sie von einer anderen Website kommt.',
      unsupportedFormType: (type: string) => `Seiten akzeptieren nur Formulare (${type}).`,
      formTooLarge: (kib: string) => `Das Formular ist zu groß. Höchstens ${kib} KiB sind erlaubt.`,
      adminsOnly: 'Diese Seite ist nur für Administratoren.',
      unclearForm:
        'Das Formular enthält keine gültige Aktion. Gehen Sie zurück, laden Sie die Seite neu und senden Sie es erneut.',
      backendUnreachable:
        'Der Anmeldedienst ist derzeit nicht erreichbar. Es ging nichts verloren. Bitte versuchen Sie es gleich erneut.',
      unexpected: 'Bei uns ist ein Fehler aufgetreten.',
      unexpectedWithId: (id: string) => `Bei uns ist ein Fehler aufgetreten. Anfrage-ID: ${id}`,
    },
  },
});

export type ErrorCode = keyof (typeof errorTexts)['en']['sentences'];
