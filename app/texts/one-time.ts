/**
 * Texts of sign-in without a password, of password recovery, and of the second factor. An address stands between
 * `before` and `after`.
 */
import { defineTexts } from './define-texts.ts';

export const oneTimeTexts = defineTexts({
  en: {
    code: 'Code',
    enterCode: 'Enter the code.',
    wrongCode: 'The code is incorrect or has expired. Check it, or request a new one.',
    submit: 'Continue',
    resend: { code: 'Resend code', email: 'Resend email' },
    resendIn: {
      code: (seconds: number) => `Resend code in ${seconds} s`,
      email: (seconds: number) => `Resend email in ${seconds} s`,
    },
    back: 'Back to sign-in',
    otherAddress: { email: 'Use another email address', phone: 'Use another phone number' },
    sentTitle: { email: 'Check your email', phone: 'Check your text messages' },
    sentLead: {
      email: {
        before: 'If an account exists for ',
        after: ', we sent it a code. Enter the code, or open the link in the email in this browser.',
      },
      phone: {
        before: 'If an account exists for ',
        after: ', we sent it a code. Enter the code to continue.',
      },
    },
    recover: {
      title: 'Reset your password',
      lead: 'Enter your email address, and we’ll send you a code to set a new password.',
      send: 'Send code',
    },
    factor: {
      title: 'Two-factor verification',
      leadApp: 'Enter the code from your authenticator app.',
      leadPhone: 'Verify it’s you with a code that we send to your phone.',
      leadKey: 'Verify it’s you with your security key.',
      leadSent: 'Enter the code that we sent to your phone.',
      wrongAppCode: 'The code is incorrect or has expired. Enter the current code from your app.',
      sendTo: (ending: string) => `Send a code to the number ending in ${ending}`,
      keyButton: (name: string) => (name ? `Use security key: ${name}` : 'Use security key'),
      keysUnsupported: 'This browser doesn’t support security keys on this page.',
      keyNeedsScripts: 'Security keys require JavaScript. Turn on JavaScript and reload the page.',
      useRecoveryCode: 'Use a recovery code',
      recoveryCode: 'Recovery code',
      recoveryTitle: 'Use a recovery code',
      recoveryLead:
        'Enter one of the recovery codes that you saved when you set up two-factor authentication. Each code works once.',
      otherMethod: 'Use another method',
      wrongRecoveryCode: 'The recovery code is incorrect, or was already used or replaced. Try another one.',
      signOut: 'Sign out',
    },
    withCode: {
      title: 'Sign in with a code',
      lead: 'No password needed: we’ll send you a code. Emails also contain a sign-in link.',
      send: 'Send code',
    },
  },
  de: {
    code: 'Code',
    enterCode: 'Geben Sie den Code ein.',
    wrongCode: 'Der Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie einen neuen an.',
    submit: 'Weiter',
    resend: { code: 'Code erneut senden', email: 'E-Mail erneut senden' },
    resendIn: {
      code: (seconds: number) => `Code erneut senden in ${seconds} s`,
      email: (seconds: number) => `E-Mail erneut senden in ${seconds} s`,
    },
    back: 'Zurück zur Anmeldung',
    otherAddress: { email: 'Andere E-Mail-Adresse verwenden', phone: 'Andere Telefonnummer verwenden' },
    sentTitle: { email: 'Prüfen Sie Ihre E-Mails', phone: 'Prüfen Sie Ihre SMS' },
    sentLead: {
      email: {
        before: 'Falls zu ',
        after:
          ' ein Konto besteht, haben wir einen Code gesendet. Geben Sie den Code ein oder öffnen Sie den Link aus der E-Mail in diesem Browser.',
      },
      phone: {
        before: 'Falls zu ',
        after: ' ein Konto besteht, haben wir einen Code gesendet. Geben Sie den Code ein, um fortzufahren.',
      },
    },
    recover: {
      title: 'Passwort zurücksetzen',
      lead: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code, mit dem Sie ein neues Passwort festlegen.',
      send: 'Code senden',
    },
    factor: {
      title: 'Zwei-Faktor-Bestätigung',
      leadApp: 'Geben Sie den Code aus Ihrer Authenticator-App ein.',
      leadPhone: 'Bestätigen Sie Ihre Identität mit einem Code, den wir an Ihr Telefon senden.',
      leadKey: 'Bestätigen Sie Ihre Identität mit Ihrem Sicherheitsschlüssel.',
      leadSent: 'Geben Sie den Code ein, den wir an Ihr Telefon gesendet haben.',
      wrongAppCode: 'Der Code ist falsch oder abgelaufen. Geben Sie den aktuellen Code aus Ihrer App ein.',
      sendTo: (ending: string) => `Code an die Nummer mit der Endung ${ending} senden`,
      keyButton: (name: string) =>
        name ? `Sicherheitsschlüssel verwenden: ${name}` : 'Sicherheitsschlüssel verwenden',
      keysUnsupported: 'Dieser Browser unterstützt auf dieser Seite keine Sicherheitsschlüssel.',
      keyNeedsScripts:
        'Sicherheitsschlüssel erfordern JavaScript. Aktivieren Sie JavaScript und laden Sie die Seite neu.',
      useRecoveryCode: 'Wiederherstellungscode verwenden',
      recoveryCode: 'Wiederherstellungscode',
      recoveryTitle: 'Wiederherstellungscode verwenden',
      recoveryLead:
        'Geben Sie einen der Wiederherstellungscodes ein, die Sie beim Einrichten der Zwei-Faktor-Authentifizierung gespeichert haben. Jeder Code funktioniert einmal.',
      otherMethod: 'Andere Methode verwenden',
      wrongRecoveryCode:
        'Der Wiederherstellungscode ist falsch oder wurde bereits verwendet oder ersetzt. Versuchen Sie einen anderen.',
      signOut: 'Abmelden',
    },
    withCode: {
      title: 'Mit Code anmelden',
      lead: 'Ohne Passwort: Wir senden Ihnen einen Code. E-Mails enthalten auch einen Anmeldelink.',
      send: 'Code senden',
    },
  },
});
