/**
 * A backend's password requirements, shown after it rejected a password. Only the server uses these texts.
 */
import { defineTexts } from './define-texts.ts';

export const weakPasswordTexts = defineTexts({
  en: {
    longer: 'Longer than the rejected password.',
    lower: 'A lowercase letter (a–z).',
    upper: 'An uppercase letter (A–Z).',
    letter: 'A letter (a–z or A–Z).',
    digit: 'A digit (0–9).',
    space: 'A space.',
    // No full stop: it could be mistaken for one of the characters.
    oneOf: (characters: string) => `One of these characters: ${characters}`,
    oneOfOrSpace: (characters: string) => `A space, or one of these characters: ${characters}`,
    otherKinds: 'More kinds of characters: lowercase letters, uppercase letters, digits or symbols.',
    leaked: 'Different from the rejected password, which appeared in a data leak.',
  },
  de: {
    longer: 'Länger als das abgelehnte Passwort.',
    lower: 'Ein Kleinbuchstabe (a–z).',
    upper: 'Ein Großbuchstabe (A–Z).',
    letter: 'Ein Buchstabe (a–z oder A–Z).',
    digit: 'Eine Ziffer (0–9).',
    space: 'Ein Leerzeichen.',
    oneOf: (characters: string) => `Eines dieser Zeichen: ${characters}`,
    oneOfOrSpace: (characters: string) => `Ein Leerzeichen oder eines dieser Zeichen: ${characters}`,
    otherKinds: 'Mehr Zeichenarten: Kleinbuchstaben, Großbuchstaben, Ziffern oder Sonderzeichen.',
    leaked: 'Anders als das abgelehnte Passwort, das in einem Datenleck enthalten ist.',
  },
});
