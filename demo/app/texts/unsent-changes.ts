/** Texts about unsent changes in the browser, with the name of the board. */
import { plural } from 'greenroom/app';
import { defineTexts } from 'greenroom/app/texts/define-texts';
import { unsentChangesTexts as original } from 'greenroom/app/texts/unsent-changes';

export const unsentChangesTexts = defineTexts({
  en: {
    signOut: {
      ...original.en.signOut,
      edits: plural('en', {
        one: '1 change to the board hasn’t been sent yet. If you sign out now, it will be lost.',
        other: (count) =>
          `${count} changes to the board haven’t been sent yet. If you sign out now, they will be lost.`,
      }),
    },
    login: {
      ...original.en.login,
      text: plural('en', {
        one: '1 change to the board hasn’t been sent yet. It’s sent when the user who made it signs in on this device.',
        other: (count) =>
          `${count} changes to the board haven’t been sent yet. They’re sent when the users who made them sign in on this device.`,
      }),
    },
  },
  de: {
    signOut: {
      ...original.de.signOut,
      edits: plural('de', {
        one: '1 Änderung an der Pinnwand wurde noch nicht gesendet. Wenn Sie sich jetzt abmelden, geht sie verloren.',
        other: (count) =>
          `${count} Änderungen an der Pinnwand wurden noch nicht gesendet. Wenn Sie sich jetzt abmelden, gehen sie verloren.`,
      }),
    },
    login: {
      ...original.de.login,
      text: plural('de', {
        one: '1 Änderung an der Pinnwand wurde noch nicht gesendet. Sie wird gesendet, sobald sich der Benutzer, von dem sie stammt, auf diesem Gerät anmeldet.',
        other: (count) =>
          `${count} Änderungen an der Pinnwand wurden noch nicht gesendet. Sie werden gesendet, sobald sich die Benutzer, von denen sie stammen, auf diesem Gerät anmelden.`,
      }),
    },
  },
});
