/** Texts about the user's profile picture on the account page. */
import { defineTexts } from './define-texts.ts';

export const pictureTexts = defineTexts({
  en: {
    choose: 'Choose picture',
    change: 'Change picture',
    remove: 'Remove picture',
    saved: 'Profile picture saved.',
    removed: 'Profile picture removed.',
    failed: 'Couldn’t change your profile picture. Try again.',
    unreadable: 'This file isn’t a supported image. Choose another file.',
    cropTitle: 'Crop picture',
    cropText: 'Anyone with the link to your profile picture can view it.',
    cropArea: 'Visible area',
    cropHint: 'Drag the picture or use the arrow keys to move it. Press + or - to zoom.',
    zoom: 'Zoom',
    cancel: 'Cancel',
    save: 'Save picture',
  },
  de: {
    choose: 'Bild auswählen',
    change: 'Bild ändern',
    remove: 'Bild entfernen',
    saved: 'Profilbild gespeichert.',
    removed: 'Profilbild entfernt.',
    failed: 'Ihr Profilbild konnte nicht geändert werden. Versuchen Sie es erneut.',
    unreadable: 'Diese Datei ist kein unterstütztes Bild. Wählen Sie eine andere Datei.',
    cropTitle: 'Bild zuschneiden',
    cropText: 'Jeder mit dem Link zu Ihrem Profilbild kann es ansehen.',
    cropArea: 'Sichtbarer Bereich',
    cropHint:
      'Ziehen Sie das Bild, oder verschieben Sie es mit den Pfeiltasten. Mit + und - ändern Sie den Zoom.',
    zoom: 'Zoom',
    cancel: 'Abbrechen',
    save: 'Bild speichern',
  },
});
