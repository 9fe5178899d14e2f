/** Texts about the user's picture on the account page. */
import { defineTexts } from './define-texts.ts';

export const pictureTexts = defineTexts({
  en: {
    choose: 'Choose a picture',
    change: 'Change the picture',
    remove: 'Remove the picture',
    saved: 'Your picture is saved',
    removed: 'Your picture is removed',
    failed: 'The picture could not be changed. Please try again.',
    unreadable: 'This file cannot be read as a picture.',
    title: 'Choose the part that is shown',
    text: 'Everybody who has its address can see it.',
    part: 'Part of the picture that is shown',
    keys: 'Drag it, or move it with the arrow keys. Plus and minus bring it closer and farther away.',
    zoom: 'Zoom',
    cancel: 'Cancel',
    save: 'Save picture',
  },
  de: {
    choose: 'Bild wählen',
    change: 'Bild ändern',
    remove: 'Bild entfernen',
    saved: 'Ihr Bild ist gespeichert',
    removed: 'Ihr Bild ist entfernt',
    failed: 'Das Bild konnte nicht geändert werden. Bitte versuchen Sie es noch einmal.',
    unreadable: 'Diese Datei lässt sich nicht als Bild lesen.',
    title: 'Wählen Sie den Ausschnitt',
    text: 'Alle, die seine Adresse haben, können es sehen.',
    part: 'Ausschnitt des Bildes',
    keys: 'Ziehen Sie es, oder bewegen Sie es mit den Pfeiltasten. Plus und Minus holen es näher und weiter weg.',
    zoom: 'Vergrößerung',
    cancel: 'Abbrechen',
    save: 'Bild speichern',
  },
});
