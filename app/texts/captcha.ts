/** Texts of the captcha. */
import { defineTexts } from './define-texts.ts';

export const captchaTexts = defineTexts({
  en: {
    title: 'Captcha',
    phases: {
      loading: 'Loading captcha…',
      ready: 'Complete the captcha to continue.',
      solved: 'Captcha completed.',
      expired: 'The captcha has expired. Complete it again.',
      failed: 'Couldn’t load the captcha. A browser extension or your network may be blocking it.',
    },
    missing: {
      loading: 'The captcha is still loading. Wait a moment and try again.',
      ready: 'Complete the captcha first.',
      expired: 'The captcha has expired. Complete it again first.',
      failed: 'You can’t continue without the captcha. Try to load it again.',
    },
    tryAgain: 'Try again',
    needsScripts: 'The captcha requires JavaScript. Turn on JavaScript and reload the page.',
  },
  de: {
    title: 'Captcha',
    phases: {
      loading: 'Captcha wird geladen …',
      ready: 'Lösen Sie das Captcha, um fortzufahren.',
      solved: 'Captcha gelöst.',
      expired: 'Das Captcha ist abgelaufen. Lösen Sie es erneut.',
      failed:
        'Das Captcha konnte nicht geladen werden. Möglicherweise blockiert es eine Browsererweiterung oder Ihr Netzwerk.',
    },
    missing: {
      loading: 'Das Captcha wird noch geladen. Warten Sie einen Moment und versuchen Sie es erneut.',
      ready: 'Lösen Sie zuerst das Captcha.',
      expired: 'Das Captcha ist abgelaufen. Lösen Sie es zuerst erneut.',
      failed: 'Ohne das Captcha können Sie nicht fortfahren. Laden Sie es erneut.',
    },
    tryAgain: 'Erneut versuchen',
    needsScripts: 'Das Captcha erfordert JavaScript. Aktivieren Sie JavaScript und laden Sie die Seite neu.',
  },
});
