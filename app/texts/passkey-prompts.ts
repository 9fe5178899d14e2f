/** Errors of a passkey or security key prompt. */
import { defineTexts } from './define-texts.ts';

export const passkeyPromptTexts = defineTexts({
  en: {
    cancelled: 'The request was cancelled or timed out. Nothing was changed. Try again.',
    'already-registered': 'This passkey or security key is already set up.',
    rejected: 'The passkey or security key wasn’t accepted. Try again, or use another method.',
    disabled: 'This sign-in method is turned off on this site.',
    failed: 'Couldn’t use the passkey or security key. Try again, or use another method.',
    'too-many-passkeys': 'You’ve reached the maximum number of passkeys. Remove one first.',
    'too-many-factors': 'You’ve reached the maximum number of second factors. Remove one first.',
    captcha: 'Captcha failed. Try again.',
  },
  de: {
    cancelled:
      'Der Vorgang wurde abgebrochen oder hat zu lange gedauert. Es wurde nichts geändert. Versuchen Sie es erneut.',
    'already-registered': 'Dieser Passkey oder Sicherheitsschlüssel ist bereits eingerichtet.',
    rejected:
      'Der Passkey oder Sicherheitsschlüssel wurde nicht akzeptiert. Versuchen Sie es erneut oder verwenden Sie eine andere Methode.',
    disabled: 'Diese Anmeldemethode ist auf dieser Website deaktiviert.',
    failed:
      'Der Passkey oder Sicherheitsschlüssel konnte nicht verwendet werden. Versuchen Sie es erneut oder verwenden Sie eine andere Methode.',
    'too-many-passkeys': 'Die maximale Anzahl an Passkeys ist erreicht. Entfernen Sie zuerst einen.',
    'too-many-factors': 'Die maximale Anzahl an zweiten Faktoren ist erreicht. Entfernen Sie zuerst einen.',
    captcha: 'Captcha fehlgeschlagen. Versuchen Sie es erneut.',
  },
});
