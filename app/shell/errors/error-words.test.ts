import { describe, expect, it } from 'vitest';
import { type ErrorReason, errorMessage } from '../../session/error-message.ts';

describe('errorMessage', () => {
  it.each<[ErrorReason, 'en' | 'de', string]>([
    [{ code: 'pageNotFound', value: '/x?y' }, 'en', 'Page not found: /x?y'],
    [{ code: 'invalidRoute', value: '/x?y' }, 'en', 'Page Not Found: /x?y'],
    [{ code: 'pageNotFound', value: '/x?y' }, 'de', 'Seite nicht gefunden: /x?y'],
    [{ code: 'unsupportedRequest' }, 'en', 'This page doesn’t support this type of request.'],
    [
      { code: 'unexpectedWithId', value: 'req-1' },
      'en',
      'Something went wrong on our side. Request ID: req-1',
    ],
    [
      { code: 'unexpectedWithId', value: 'req-1' },
      'de',
      'Bei uns ist ein Fehler aufgetreten. Anfrage-ID: req-1',
    ],
    [
      { code: 'unclearForm', message: 'The form doesn’t contain a valid action.' },
      'de',
      'Das Formular enthält keine gültige Aktion. Gehen Sie zurück, laden Sie die Seite neu und senden Sie es erneut.',
    ],
    [{ code: 'fromTheFuture', message: 'A new sentence.' }, 'de', 'A new sentence.'],
    [{ code: 'constructor', message: 'Odd.' }, 'en', 'Odd.'],
    [{ message: '' }, 'en', ''],
    [{}, 'de', 'Bei uns ist ein Fehler aufgetreten.'],
  ])('returns for %j in %s: %s', (reason, language, message) => {
    expect(errorMessage(reason, language)).toBe(message);
  });
});
