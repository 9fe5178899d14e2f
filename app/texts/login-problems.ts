/** Validation messages of the sign-in form. */
import { defineTexts } from './define-texts.ts';

export const loginProblemTexts = defineTexts({
  en: {
    missing: 'You must provide either an email or phone number and a password',
    enterEmail: 'Enter your email address.',
    enterPhone: 'Enter your phone number.',
    enterPassword: 'Enter your password.',
    choosePassword: 'Choose a password.',
    longEmail: (most: number) => `Email addresses can have at most ${most} characters.`,
    notAnEmail: 'Enter a valid email address, for example name@example.com.',
    notAPhone: 'Enter a valid phone number with its country code, for example +44 7700 900123.',
    badCharacter: 'Passwords can’t contain null characters.',
    shortPassword: 'This password is too short.',
    longPassword: (most: number) =>
      `Passwords can have at most ${most} characters, fewer with accents or emoji.`,
  },
  de: {
    missing: 'Geben Sie eine E-Mail-Adresse oder Telefonnummer und ein Passwort ein.',
    enterEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
    enterPhone: 'Geben Sie Ihre Telefonnummer ein.',
    enterPassword: 'Geben Sie Ihr Passwort ein.',
    choosePassword: 'Wählen Sie ein Passwort.',
    longEmail: (most: number) => `E-Mail-Adressen dürfen höchstens ${most} Zeichen lang sein.`,
    notAnEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    notAPhone: 'Geben Sie eine gültige Telefonnummer mit Ländervorwahl ein, zum Beispiel +49 1512 3456789.',
    badCharacter: 'Passwörter dürfen keine Nullzeichen enthalten.',
    shortPassword: 'Dieses Passwort ist zu kurz.',
    longPassword: (most: number) =>
      `Passwörter dürfen höchstens ${most} Zeichen lang sein, mit Umlauten oder Emojis weniger.`,
  },
});

export type ProblemTexts = (typeof loginProblemTexts)['en'];
