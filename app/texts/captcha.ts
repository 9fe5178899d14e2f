/** Texts of the captcha. */
import { defineTexts } from './define-texts.ts';

export const captchaTexts = defineTexts({
  en: {
    title: 'Are you a person?',
    phases: {
      loading: 'The check that you are a person is loading…',
      ready: 'Please complete the check before you go on.',
      solved: 'The check is done.',
      expired: 'The check was too long ago. Please complete it once more.',
      failed: 'The check that you are a person could not be loaded. Something may block it.',
    },
    missing: {
      loading: 'One moment, please: the check is not there yet.',
      ready: 'First complete the check that you are a person.',
      expired: 'First complete the check that you are a person once more.',
      failed: 'Nobody gets in without the check. Try to load it again.',
    },
    again: 'Try again',
    needsScripts:
      'Here people are asked to show that they are no program, and that needs JavaScript. Please switch it on and load this page again.',
  },
  de: {
    title: 'Sind Sie ein Mensch?',
    phases: {
      loading: 'Die Prüfung, ob Sie ein Mensch sind, wird geladen …',
      ready: 'Bitte schließen Sie die Prüfung ab, bevor Sie weitergehen.',
      solved: 'Die Prüfung ist bestanden.',
      expired: 'Die Prüfung ist zu lange her. Bitte schließen Sie sie noch einmal ab.',
      failed:
        'Die Prüfung, ob Sie ein Mensch sind, konnte nicht geladen werden. Vielleicht wird sie blockiert.',
    },
    missing: {
      loading: 'Einen Augenblick bitte: Die Prüfung ist noch nicht da.',
      ready: 'Schließen Sie zuerst die Prüfung ab, ob Sie ein Mensch sind.',
      expired: 'Schließen Sie zuerst noch einmal die Prüfung ab, ob Sie ein Mensch sind.',
      failed: 'Ohne die Prüfung kommt niemand hinein. Laden Sie sie noch einmal.',
    },
    again: 'Noch einmal versuchen',
    needsScripts:
      'Hier wird geprüft, ob Sie ein Mensch sind, und das braucht JavaScript. Bitte schalten Sie es ein und laden Sie diese Seite neu.',
  },
});
