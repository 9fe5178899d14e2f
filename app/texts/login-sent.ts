/** Texts after a sign-up that requires a confirmation. */
import { defineTexts } from './define-texts.ts';

export const loginSentTexts = defineTexts({
  en: {
    email: 'Check your email',
    phone: 'Check your messages',
    emailText: 'Open the link in it in this browser to finish creating your account. We sent it to',
    phoneText: 'Use the code in it to finish creating your account. We sent it to',
    back: 'Back to sign in',
  },
  de: {
    email: 'Sehen Sie in Ihre E-Mails',
    phone: 'Sehen Sie in Ihre Nachrichten',
    emailText: 'Öffnen Sie den Link darin in diesem Browser, um Ihr Konto fertigzustellen. Gesendet an',
    phoneText: 'Mit dem Code darin stellen Sie Ihr Konto fertig. Gesendet an',
    back: 'Zurück zur Anmeldung',
  },
});
