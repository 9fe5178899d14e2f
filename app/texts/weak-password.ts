/**
 * A backend's password requirements, shown after it rejected a password. Only the server uses these texts.
 */
import { defineTexts } from './define-texts.ts';

export const weakPasswordTexts = defineTexts({
  en: {
    longer: 'Longer than the refused password.',
    lower: 'A lowercase letter (a–z).',
    upper: 'An uppercase letter (A–Z).',
    letter: 'A letter (a–z or A–Z).',
    digit: 'A digit (0–9).',
    space: 'A space.',
    // No full stop: it could be mistaken for one of the characters.
    oneOf: (characters: string) => `One of these: ${characters}`,
    oneOfOrSpace: (characters: string) => `A space, or one of these: ${characters}`,
    otherKinds: 'More kinds of characters: small and capital letters, digits or signs.',
    leaked: 'Not the refused password: it is known from a data leak.',
  },
  de: {
    longer: 'Länger als das abgelehnte Passwort.',
    lower: 'Ein Kleinbuchstabe (a–z).',
    upper: 'Ein Großbuchstabe (A–Z).',
    letter: 'Ein Buchstabe (a–z oder A–Z).',
    digit: 'Eine Ziffer (0–9).',
    space: 'Ein Leerzeichen.',
    oneOf: (characters: string) => `Eines von diesen: ${characters}`,
    oneOfOrSpace: (characters: string) => `Ein Leerzeichen oder eines von diesen: ${characters}`,
    otherKinds: 'Mehr Arten von Zeichen: Klein- und Großbuchstaben, Ziffern oder Sonderzeichen.',
    leaked: 'Nicht das abgelehnte Passwort: Es ist aus einem Datenleck bekannt.',
  },
});
