/**
 * Texts after a sign-up that requires a confirmation. They are the same if the account already existed and no message
 * was sent. The address stands between `before` and `after`.
 */
import { defineTexts } from './define-texts.ts';

export const loginSentTexts = defineTexts({
  en: {
    title: { email: 'Check your email', phone: 'Check your text messages' },
    lead: {
      email: {
        before: 'If no account exists for ',
        after:
          ' yet, we sent it a confirmation link. Open the link in this browser to finish creating your account.',
      },
      phone: {
        before: 'If no account exists for ',
        after: ' yet, we sent it a code. Use the code to finish creating your account.',
      },
    },
    back: 'Back to sign-in',
  },
  de: {
    title: { email: 'Prüfen Sie Ihre E-Mails', phone: 'Prüfen Sie Ihre SMS' },
    lead: {
      email: {
        before: 'Falls zu ',
        after:
          ' noch kein Konto besteht, haben wir einen Bestätigungslink gesendet. Öffnen Sie ihn in diesem Browser, um die Erstellung Ihres Kontos abzuschließen.',
      },
      phone: {
        before: 'Falls zu ',
        after:
          ' noch kein Konto besteht, haben wir einen Code gesendet. Schließen Sie damit die Erstellung Ihres Kontos ab.',
      },
    },
    back: 'Zurück zur Anmeldung',
  },
});
