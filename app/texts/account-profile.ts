/** Texts of the card "Name and picture". */
import { defineTexts } from './define-texts.ts';

export const profileTexts = defineTexts({
  en: {
    title: 'Name and picture',
    field: 'Name',
    hint: 'If empty, your email address is shown.',
    save: 'Save name',
    saved: 'Name saved.',
    removed: 'Name removed.',
    tooLong: (most: number) => `Use at most ${most} characters.`,
  },
  de: {
    title: 'Name und Bild',
    field: 'Name',
    hint: 'Ohne Namen wird Ihre E-Mail-Adresse angezeigt.',
    save: 'Namen speichern',
    saved: 'Name gespeichert.',
    removed: 'Name entfernt.',
    tooLong: (most: number) => `Verwenden Sie höchstens ${most} Zeichen.`,
  },
});
