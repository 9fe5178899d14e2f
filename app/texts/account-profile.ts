/** Texts about the user's name on the account page. */
import { defineTexts } from './define-texts.ts';

export const profileTexts = defineTexts({
  en: {
    title: 'Profile',
    lead: 'What you are called here.',
    field: 'Your name',
    hint: 'Leave it empty, and your address stands in its place.',
    save: 'Save name',
    saved: 'Your name is saved.',
    removed: 'Your name is removed.',
    tooLong: (most: number) => `Use at most ${most} characters.`,
  },
  de: {
    title: 'Profil',
    lead: 'Wie Sie hier heißen.',
    field: 'Ihr Name',
    hint: 'Bleibt das Feld leer, steht Ihre Adresse an seiner Stelle.',
    save: 'Namen speichern',
    saved: 'Ihr Name ist gespeichert.',
    removed: 'Ihr Name ist entfernt.',
    tooLong: (most: number) => `Verwenden Sie höchstens ${most} Zeichen.`,
  },
});
