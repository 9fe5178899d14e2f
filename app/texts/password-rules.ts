/** Texts of the requirements for a new password. Those that only the backend knows are in weak-password.ts. */
import { defineTexts } from './define-texts.ts';

export const passwordRuleTexts = defineTexts({
  en: {
    least: (least: number) => `At least ${least} characters.`,
    met: 'Met.',
    unmet: 'Not met.',
    progress: (met: number, all: number) => `Requirements met: ${met} of ${all}.`,
  },
  de: {
    least: (least: number) => `Mindestens ${least} Zeichen.`,
    met: 'Erfüllt.',
    unmet: 'Nicht erfüllt.',
    progress: (met: number, all: number) => `Erfüllte Anforderungen: ${met} von ${all}.`,
  },
});
