/** What the auth service's refusals mean to a person. Which code gets which text is decided in login/auth-errors.ts. */
import { defineTexts } from './define-texts.ts';

export const authErrorTexts = defineTexts({
  en: {
    wrongCredentials: 'The email, phone number or password is not right.',
    emailNotConfirmed: 'Your email address is not confirmed yet. Open the link in the message we sent you.',
    phoneNotConfirmed: 'Your phone number is not confirmed yet. Use the code in the message we sent you.',
    blocked: 'This account is blocked. Please contact the people who run this site.',
    addressTaken: 'There is already an account for this address. Sign in instead.',
    emailTaken: 'There is already an account for this email address. Sign in instead.',
    phoneTaken: 'There is already an account for this phone number. Sign in instead.',
    emailUnusable: 'This email address cannot be used. Please try another one.',
    emailUnreachable: 'Messages cannot be sent to this email address. Please try another one.',
    weakPassword: 'Choose a stronger password.',
    weakLength: 'Use a longer password.',
    weakCharacters: 'Use letters of both kinds, digits and signs.',
    leakedPassword: 'This password is known from a data leak; use another one.',
    samePassword: 'Choose a password that differs from the old one.',
    signUpClosed: 'New accounts cannot be created at the moment.',
    noEmails: 'Email addresses are not accepted here. Use your phone number instead.',
    noPhones: 'Phone numbers are not accepted here. Use your email address instead.',
    nothingGiven: 'You must provide either an email or phone number and a password',
    tooManyAttempts: 'Too many attempts. Please wait a few minutes and try again.',
    tooManyMessages: 'Too many messages were sent. Please wait a minute and try again.',
    smsFailed: 'The text message could not be sent. Check the number and try again.',
    captchaFailed: 'The check that you are a person did not succeed. Please try again.',
    otherBrowser:
      'This link belongs to another browser or device. Open it where you started, or sign in with your password.',
    oldLink: 'This link has expired or was already used. Please ask for a new one.',
    interrupted: 'Signing in took too long or was interrupted. Please start again.',
    otherServiceSilent: 'The other service did not say who you are. Please start again.',
    otherServiceUnknown: 'Signing in with this service is not possible here.',
    confirmFirst: 'Confirm your email address first: open the link in the message we sent you.',
    noPermission: 'You did not give permission, so nothing was changed.',
    conflict: 'Something else changed at the same time. Please try again.',
    tooLong: 'What you entered is too long.',
    tookTooLong: 'The sign-in service took too long. Please try again.',
    notAnEmail: 'This is not an email address. It should look like name@example.com.',
    notAPhone: 'Enter the number with its country code, for example +44 7700 900123.',
    longPassword: 'Use a shorter password: at most 72 letters, fewer with accents or emoji.',
    choosePassword: 'Choose a password.',
  },
  de: {
    wrongCredentials: 'E-Mail-Adresse, Telefonnummer oder Passwort stimmt nicht.',
    emailNotConfirmed:
      'Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link in unserer Nachricht an Sie.',
    phoneNotConfirmed:
      'Ihre Telefonnummer ist noch nicht bestätigt. Verwenden Sie den Code aus unserer Nachricht an Sie.',
    blocked: 'Dieses Konto ist gesperrt. Wenden Sie sich an die Betreiber dieser Seite.',
    addressTaken: 'Für diese Adresse gibt es schon ein Konto. Melden Sie sich an.',
    emailTaken: 'Für diese E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich an.',
    phoneTaken: 'Für diese Telefonnummer gibt es schon ein Konto. Melden Sie sich an.',
    emailUnusable: 'Diese E-Mail-Adresse kann nicht verwendet werden. Versuchen Sie eine andere.',
    emailUnreachable:
      'An diese E-Mail-Adresse können keine Nachrichten gesendet werden. Versuchen Sie eine andere.',
    weakPassword: 'Wählen Sie ein stärkeres Passwort.',
    weakLength: 'Verwenden Sie ein längeres Passwort.',
    weakCharacters: 'Verwenden Sie Groß- und Kleinbuchstaben, Ziffern und Sonderzeichen.',
    leakedPassword: 'Dieses Passwort ist aus einem Datenleck bekannt; verwenden Sie ein anderes.',
    samePassword: 'Wählen Sie ein anderes Passwort als das bisherige.',
    signUpClosed: 'Zurzeit können keine neuen Konten erstellt werden.',
    noEmails: 'E-Mail-Adressen werden hier nicht angenommen. Verwenden Sie Ihre Telefonnummer.',
    noPhones: 'Telefonnummern werden hier nicht angenommen. Verwenden Sie Ihre E-Mail-Adresse.',
    nothingGiven: 'Geben Sie eine E-Mail-Adresse oder Telefonnummer und ein Passwort an',
    tooManyAttempts: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es noch einmal.',
    tooManyMessages:
      'Es wurden zu viele Nachrichten gesendet. Warten Sie eine Minute und versuchen Sie es noch einmal.',
    smsFailed:
      'Die SMS konnte nicht gesendet werden. Prüfen Sie die Nummer und versuchen Sie es noch einmal.',
    captchaFailed: 'Die Prüfung, ob Sie ein Mensch sind, ist nicht gelungen. Versuchen Sie es noch einmal.',
    otherBrowser:
      'Dieser Link gehört zu einem anderen Browser oder Gerät. Öffnen Sie ihn dort, wo Sie begonnen haben, oder melden Sie sich mit Ihrem Passwort an.',
    oldLink: 'Dieser Link ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.',
    interrupted: 'Die Anmeldung hat zu lange gedauert oder wurde unterbrochen. Beginnen Sie von vorn.',
    otherServiceSilent: 'Der andere Dienst hat nicht mitgeteilt, wer Sie sind. Beginnen Sie von vorn.',
    otherServiceUnknown: 'Mit diesem Dienst können Sie sich hier nicht anmelden.',
    confirmFirst:
      'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link in unserer Nachricht an Sie.',
    noPermission: 'Sie haben nicht zugestimmt; es wurde nichts geändert.',
    conflict: 'Gleichzeitig hat sich etwas anderes geändert. Versuchen Sie es noch einmal.',
    tooLong: 'Ihre Eingabe ist zu lang.',
    tookTooLong: 'Der Anmeldedienst hat zu lange gebraucht. Versuchen Sie es noch einmal.',
    notAnEmail: 'Das ist keine E-Mail-Adresse. Sie sollte so aussehen: name@example.com.',
    notAPhone: 'Geben Sie die Nummer mit Ländervorwahl ein, zum Beispiel +49 1512 3456789.',
    longPassword:
      'Verwenden Sie ein kürzeres Passwort: höchstens 72 Buchstaben, weniger mit Umlauten oder Emoji.',
    choosePassword: 'Wählen Sie ein Passwort.',
  },
});

/** Name of a text. */
export type AuthErrorText = keyof (typeof authErrorTexts)['en'];
