/** Names of keys, and the words between them. */
import { defineTexts } from './define-texts.ts';

export const keyTexts = defineTexts({
  en: { ctrl: 'Ctrl', command: 'Command', followedBy: 'then' },
  de: { ctrl: 'Strg', command: 'Befehl', followedBy: 'dann' },
});
