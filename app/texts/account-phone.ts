/** Texts about the phone number for sign-in. */
import { defineTexts } from './define-texts.ts';

export const phoneTexts = defineTexts({
  en: {
    title: 'Phone number',
    lead: (current: string) => `Now: ${current}`,
    none: 'You have none yet.',
    field: 'New phone number',
    add: 'Add number',
    change: 'Change number',
    changed: 'Your phone number is changed.',
    sent: 'A code is on its way.',
    pending: (to: string) => `To become ${to}. Type the code that we sent to it.`,
    code: 'Code',
    confirm: 'Confirm',
    nothingWaits: 'No number waits to be confirmed. Enter it once more.',
  },
  de: {
    title: 'Telefonnummer',
    lead: (current: string) => `Derzeit: ${current}`,
    none: 'Sie haben noch keine.',
    field: 'Neue Telefonnummer',
    add: 'Nummer hinzufügen',
    change: 'Nummer ändern',
    changed: 'Ihre Telefonnummer ist geändert.',
    sent: 'Ein Code ist unterwegs.',
    pending: (to: string) => `Wird zu ${to}. Geben Sie den Code ein, den wir dorthin gesendet haben.`,
    code: 'Code',
    confirm: 'Bestätigen',
    nothingWaits: 'Keine Nummer wartet auf Bestätigung. Geben Sie sie noch einmal ein.',
  },
});
