/** Texts of the page that links in emails lead to. */
import { defineTexts } from './define-texts.ts';

export const confirmTexts = defineTexts({
  en: {
    metaTitle: 'Confirmation',
    metaDescription: (site: string) => `Completes your sign-in to ${site}.`,
    failedTitle: 'Confirmation failed',
    nothingTitle: 'Nothing to confirm',
    nothingText: 'Open the link in the email that we sent you, or sign in with your password.',
    otherLinkTitle: 'Confirm your other address',
    otherLinkText:
      'We received the confirmation from this address. Now open the link in the email to your other address.',
    openingTitle: 'Signing you in',
    openingText: 'This takes only a moment.',
    needsScripts: 'This link needs JavaScript. Turn it on in your browser, then reload this page.',
    toSignIn: 'Go to sign-in',
    toAccount: 'Go to account',
    withCode: 'Sign in with a code',
  },
  de: {
    metaTitle: 'Bestätigung',
    metaDescription: (site) => `Schließt Ihre Anmeldung bei ${site} ab.`,
    failedTitle: 'Bestätigung fehlgeschlagen',
    nothingTitle: 'Nichts zu bestätigen',
    nothingText:
      'Öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben, oder melden Sie sich mit Ihrem Passwort an.',
    otherLinkTitle: 'Bestätigen Sie Ihre andere Adresse',
    otherLinkText:
      'Die Bestätigung von dieser Adresse ist eingegangen. Öffnen Sie jetzt den Link in der E-Mail an Ihre andere Adresse.',
    openingTitle: 'Sie werden angemeldet',
    openingText: 'Das dauert nur einen Moment.',
    needsScripts:
      'Dieser Link benötigt JavaScript. Schalten Sie es in Ihrem Browser ein und laden Sie diese Seite neu.',
    toSignIn: 'Zur Anmeldung',
    toAccount: 'Zum Konto',
    withCode: 'Mit Code anmelden',
  },
});
