/** Texts of the page that links in emails lead to. */
import { defineTexts } from './define-texts.ts';

export const confirmTexts = defineTexts({
  en: {
    metaTitle: 'Confirm',
    metaDescription: 'Finishes signing in to Greenroom.',
    failed: 'This did not work',
    nothing: 'Nothing to confirm',
    nothingText: 'Open the link in the message we sent you, or sign in with your password.',
    halfway: 'One more link',
    halfwayText: 'This link counts. Now open the one in the message to your other address.',
    toSignIn: 'Go to sign in',
    toAccount: 'Go to your account',
    byCode: 'Sign in with a code instead',
  },
  de: {
    metaTitle: 'Bestätigen',
    metaDescription: 'Schließt die Anmeldung bei Greenroom ab.',
    failed: 'Das hat nicht geklappt',
    nothing: 'Nichts zu bestätigen',
    nothingText:
      'Öffnen Sie den Link in unserer Nachricht an Sie, oder melden Sie sich mit Ihrem Passwort an.',
    halfway: 'Noch ein Link',
    halfwayText: 'Dieser Link zählt. Öffnen Sie jetzt den in der Nachricht an Ihre andere Adresse.',
    toSignIn: 'Zur Anmeldung',
    toAccount: 'Zu Ihrem Konto',
    byCode: 'Mit Code anmelden',
  },
});
