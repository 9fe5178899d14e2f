/** Results of a passkey or security key prompt. */
import { defineTexts } from './define-texts.ts';

export const ceremonyTexts = defineTexts({
  en: {
    cancelled: 'It was cancelled, or took too long. Nothing has changed; try again when you are ready.',
    'already-there': 'This device or key is already set up here.',
    refused: 'This was not accepted. Try again, or use another way.',
    off: 'This is not switched on here.',
    failed: 'That did not work on this device. Try again, or use another way.',
    'too-many': 'You have as many as there can be. Remove one first.',
    captcha: 'The check that you are a person did not succeed. Please do it once more.',
  },
  de: {
    cancelled:
      'Das wurde abgebrochen oder hat zu lange gedauert. Es hat sich nichts geändert; versuchen Sie es noch einmal.',
    'already-there': 'Dieses Gerät oder dieser Schlüssel ist hier schon eingerichtet.',
    refused: 'Das wurde nicht angenommen. Versuchen Sie es noch einmal oder auf einem anderen Weg.',
    off: 'Das ist hier nicht eingeschaltet.',
    failed:
      'Das hat auf diesem Gerät nicht geklappt. Versuchen Sie es noch einmal oder auf einem anderen Weg.',
    'too-many': 'Mehr geht nicht. Entfernen Sie zuerst etwas.',
    captcha: 'Die Prüfung, ob Sie ein Mensch sind, ist nicht gelungen. Versuchen Sie es noch einmal.',
  },
});
