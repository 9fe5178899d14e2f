/** Validation messages of the sign-in form. */
import { defineTexts } from './define-texts.ts';

export const loginProblemTexts = defineTexts({
  en: {
    missing: 'You must provide either an email or phone number and a password',
    enterEmail: 'Enter your email address.',
    enterPhone: 'Enter your phone number.',
    enterPassword: 'Enter your password.',
    choosePassword: 'Choose a password.',
    longEmail: (most: number) => `Use an address of at most ${most} characters.`,
    notAnEmail: 'This is not an email address. It should look like name@example.com.',
    notAPhone: 'Enter the number with its country code, for example +44 7700 900123.',
    badCharacter: 'A password cannot contain this character.',
    shortPassword: 'This password is too short.',
    longPassword: (most: number) =>
      `Use a shorter password: at most ${most} letters, fewer with accents or emoji.`,
  },
  de: {
    missing: 'Geben Sie eine E-Mail-Adresse oder Telefonnummer und ein Passwort an',
    enterEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
    enterPhone: 'Geben Sie Ihre Telefonnummer ein.',
    enterPassword: 'Geben Sie Ihr Passwort ein.',
    choosePassword: 'Wählen Sie ein Passwort.',
    longEmail: (most: number) => `Die Adresse darf höchstens ${most} Zeichen haben.`,
    notAnEmail: 'Das ist keine E-Mail-Adresse. Sie sollte so aussehen: name@example.com.',
    notAPhone: 'Geben Sie die Nummer mit Ländervorwahl ein, zum Beispiel +49 1512 3456789.',
    badCharacter: 'Dieses Zeichen darf in einem Passwort nicht vorkommen.',
    shortPassword: 'Dieses Passwort ist zu kurz.',
    longPassword: (most: number) =>
      `Verwenden Sie ein kürzeres Passwort: höchstens ${most} Buchstaben, weniger mit Umlauten oder Emoji.`,
  },
});

export type ProblemTexts = (typeof loginProblemTexts)['en'];
