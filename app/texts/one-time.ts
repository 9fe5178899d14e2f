/** Texts of sign-in without a password, of password recovery, and of the second factor. */
import { defineTexts } from './define-texts.ts';

export const oneTimeTexts = defineTexts({
  en: {
    code: 'Code',
    enterCode: 'Enter the code.',
    wrongCode: 'This code is wrong or too old. Check it, or ask for another one.',
    go: 'Continue',
    again: 'Send another one',
    againIn: (seconds: number) => `Send another one in ${seconds} s`,
    back: 'Back to sign in',
    otherAddress: { email: 'Use another address', phone: 'Use another number' },
    sentTitle: { email: 'Check your email', phone: 'Check your messages' },
    sentLead: {
      email:
        'Type the code here, or open the link in this browser. If there is something to send, it goes to',
      phone: 'Type the code here. If there is something to send, it goes to',
    },
    recover: {
      title: 'Forgotten your password?',
      lead: 'We send you a code. With it you choose a new one.',
      send: 'Send code',
    },
    factor: {
      title: 'One more step',
      lead: 'Open your authenticator app and type the code that it shows.',
      wrongAppCode: 'This code is wrong or has expired. Enter the code that your app shows now.',
      leadPhone: 'We send you a code to show that it is you.',
      leadKey: 'Use your security key to show that it is you.',
      leadSent: 'Type the code that we sent to your phone.',
      sendTo: (ending: string) => `Send a code to the number ending in ${ending}`,
      keyNamed: (name: string) => (name ? `Use security key: ${name}` : 'Use your security key'),
      noKeysHere: 'This browser cannot use security keys on this page.',
      keyNeedsScripts: 'A security key needs JavaScript. Please switch it on and load this page again.',
      useRecoveryCode: 'Use a recovery code',
      recoveryCode: 'Recovery code',
      recoveryTitle: 'Use a recovery code',
      recoveryLead:
        'Type one of the codes that you saved when you set up your second factor. Each works once.',
      otherWay: 'Use another way',
      wrongRecoveryCode: 'This code is wrong, or was used or replaced. Try another one.',
      signOut: 'Sign out instead',
    },
    byCode: {
      title: 'Sign in with a code',
      lead: 'No password needed: we send you a code, and a link if it is an email.',
      send: 'Send code',
    },
  },
  de: {
    code: 'Code',
    enterCode: 'Geben Sie den Code ein.',
    wrongCode: 'Dieser Code ist falsch oder zu alt. Prüfen Sie ihn, oder fordern Sie einen neuen an.',
    go: 'Weiter',
    again: 'Noch einmal senden',
    againIn: (seconds: number) => `Noch einmal senden in ${seconds} s`,
    back: 'Zurück zur Anmeldung',
    otherAddress: { email: 'Andere Adresse verwenden', phone: 'Andere Nummer verwenden' },
    sentTitle: { email: 'Sehen Sie in Ihre E-Mails', phone: 'Sehen Sie in Ihre Nachrichten' },
    sentLead: {
      email:
        'Geben Sie den Code hier ein, oder öffnen Sie den Link in diesem Browser. Wenn es etwas zu senden gibt, geht es an',
      phone: 'Geben Sie den Code hier ein. Wenn es etwas zu senden gibt, geht es an',
    },
    recover: {
      title: 'Passwort vergessen?',
      lead: 'Wir senden Ihnen einen Code. Mit ihm wählen Sie ein neues.',
      send: 'Code senden',
    },
    factor: {
      title: 'Noch ein Schritt',
      lead: 'Öffnen Sie Ihre Authenticator-App und geben Sie den Code ein, den sie zeigt.',
      wrongAppCode:
        'Dieser Code ist falsch oder abgelaufen. Geben Sie den Code ein, den die App jetzt zeigt.',
      leadPhone: 'Wir senden Ihnen einen Code, damit klar ist, dass Sie es sind.',
      leadKey: 'Zeigen Sie mit Ihrem Sicherheitsschlüssel, dass Sie es sind.',
      leadSent: 'Geben Sie den Code ein, den wir an Ihr Telefon gesendet haben.',
      sendTo: (ending: string) => `Code an die Nummer mit der Endung ${ending} senden`,
      keyNamed: (name: string) =>
        name ? `Sicherheitsschlüssel verwenden: ${name}` : 'Sicherheitsschlüssel verwenden',
      noKeysHere: 'Dieser Browser kann auf dieser Seite keine Sicherheitsschlüssel verwenden.',
      keyNeedsScripts:
        'Ein Sicherheitsschlüssel braucht JavaScript. Schalten Sie es ein und laden Sie die Seite neu.',
      useRecoveryCode: 'Wiederherstellungscode verwenden',
      recoveryCode: 'Wiederherstellungscode',
      recoveryTitle: 'Wiederherstellungscode verwenden',
      recoveryLead:
        'Geben Sie einen der Codes ein, die Sie beim Einrichten Ihres zweiten Faktors gesichert haben. Jeder gilt einmal.',
      otherWay: 'Anderen Weg verwenden',
      wrongRecoveryCode: 'Dieser Code ist falsch, verbraucht oder ersetzt. Versuchen Sie einen anderen.',
      signOut: 'Lieber abmelden',
    },
    byCode: {
      title: 'Mit Code anmelden',
      lead: 'Ganz ohne Passwort: Wir senden Ihnen einen Code, per E-Mail auch einen Link.',
      send: 'Code senden',
    },
  },
});
