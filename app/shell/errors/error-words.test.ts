import { describe, expect, it } from 'vitest';
import { type ErrorReason, errorMessage } from '../../session/error-message.ts';

describe('errorMessage', () => {
  it.each<[ErrorReason, 'en' | 'de', string]>([
    [{ code: 'pageNotFound', value: '/x?y' }, 'en', 'Page not found: /x?y'],
    [{ code: 'invalidRoute', value: '/x?y' }, 'en', 'Page Not Found: /x?y'],
    [{ code: 'pageNotFound', value: '/x?y' }, 'de', 'Diese Seite gibt es nicht: /x?y'],
    [{ code: 'wrongMethod' }, 'en', 'This page does not take that kind of request.'],
    [
      { code: 'unexpectedWithId', value: 'req-1' },
      'en',
      'Something went wrong on our side. Request id: req-1',
    ],
    [
      { code: 'unexpectedWithId', value: 'req-1' },
      'de',
      'Bei uns ist etwas schiefgegangen. Anfrage-Nummer: req-1',
    ],
    [
      { code: 'unclearForm', message: 'This form does not say what to do.' },
      'de',
      'Dieses Formular sagt nicht, was zu tun ist. Gehen Sie zurück, laden Sie die Seite neu und senden Sie es noch einmal.',
    ],
    [{ code: 'fromTheFuture', message: 'A new sentence.' }, 'de', 'A new sentence.'],
    [{ code: 'constructor', message: 'Odd.' }, 'en', 'Odd.'],
    [{ message: '' }, 'en', ''],
    [{}, 'de', 'Bei uns ist etwas schiefgegangen.'],
  ])('returns for %j in %s: %s', (reason, language, message) => {
    expect(errorMessage(reason, language)).toBe(message);
  });
});
