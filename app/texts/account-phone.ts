/** Texts of the card "Phone number", for sign-in. */
import { defineTexts } from './define-texts.ts';

export const phoneTexts = defineTexts({
  en: {
    title: 'Phone number',
    current: (phone: string) => `Current: ${phone}`,
    none: 'No phone number added yet.',
    field: 'New phone number',
    add: 'Add phone number',
    change: 'Change phone number',
    changed: 'Phone number changed.',
    sent: 'Code sent.',
    pending: (to: string) => `Confirm the change: enter the code we sent to ${to}.`,
    code: 'Code',
    confirm: 'Confirm phone number',
    nonePending: 'No phone number is waiting for confirmation. Enter the new number again.',
  },
  de: {
    title: 'Telefonnummer',
    current: (phone: string) => `Aktuell: ${phone}`,
    none: 'Noch keine Telefonnummer hinzugefügt.',
    field: 'Neue Telefonnummer',
    add: 'Telefonnummer hinzufügen',
    change: 'Telefonnummer ändern',
    changed: 'Telefonnummer geändert.',
    sent: 'Code gesendet.',
    pending: (to: string) =>
      `Bestätigen Sie die Änderung: Geben Sie den Code ein, den wir an ${to} gesendet haben.`,
    code: 'Code',
    confirm: 'Telefonnummer bestätigen',
    nonePending: 'Keine Telefonnummer wartet auf Bestätigung. Geben Sie die neue Nummer erneut ein.',
  },
});
