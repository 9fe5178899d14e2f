/**
 * Explanations of the auth service's errors for users. session/auth-errors.ts maps the error codes to them.
 */
import { defineTexts } from './define-texts.ts';

export const authErrorTexts = defineTexts({
  en: {
    wrongCredentials: 'Incorrect email address, phone number or password.',
    emailNotConfirmed: 'Confirm your email address first: open the link in the email that we sent you.',
    phoneNotConfirmed: 'Confirm your phone number first: use the code that we sent you.',
    blocked: 'This account is blocked. Contact the administrators of this site.',
    addressTaken: 'An account with this email address or phone number already exists. Sign in instead.',
    emailTaken: 'An account with this email address already exists. Sign in instead.',
    phoneTaken: 'An account with this phone number already exists. Sign in instead.',
    emailInvalid: 'This email address can’t be used. Try another one.',
    emailNotAuthorized: 'We can’t send emails to this address. Try another one.',
    weakPassword: 'This password is too weak.',
    samePassword: 'Choose a password that differs from your current one.',
    signUpDisabled: 'Account creation is turned off on this site.',
    emailDisabled: 'Sign-in by email is turned off on this site. Use another sign-in method.',
    phoneDisabled: 'Sign-in by phone is turned off on this site. Use another sign-in method.',
    missingCredentials: 'You must provide either an email or phone number and a password',
    tooManyAttempts: 'Too many attempts. Wait a few minutes and try again.',
    tooManyMessages: 'Too many messages were requested. Wait a minute and try again.',
    smsFailed: 'Couldn’t send the text message. Check the number and try again.',
    captchaFailed: 'Captcha failed. Try again.',
    wrongBrowser:
      'This link only works in the browser where you requested it. Open it in that browser, or sign in with your password.',
    expiredLink: 'This link has expired or was already used. Request a new one.',
    signInInterrupted: 'The sign-in timed out or was interrupted. Start again.',
    providerResponseInvalid: 'The other service didn’t confirm your identity. Start again.',
    providerUnavailable:
      'Sign-in with this service isn’t available on this site. Use another sign-in method.',
    accessDenied: 'Access was denied. Nothing was changed.',
    conflict: 'Another change was made at the same time. Try again.',
    tooLong: 'Your input is too long. Shorten it and try again.',
    serviceTimeout: 'The sign-in service took too long to respond. Please try again.',
    notAnEmail: 'Enter a valid email address, for example name@example.com.',
    notAPhone: 'Enter a valid phone number with its country code, for example +44 7700 900123.',
    longPassword: 'Passwords can have at most 72 characters, fewer with accents or emoji.',
    choosePassword: 'Choose a password.',
    currentPasswordRequired: 'Enter your current password.',
    wrongCurrentPassword: 'The current password is incorrect.',
    codeRequired: 'Confirm this change with a code. We’ll send you one.',
    wrongCode: 'The code is incorrect or has expired. Check it, or request a new one.',
    sessionExpired: 'You’re no longer signed in. Sign in again.',
    secondFactorRequired: 'Verify it’s you with your second factor before you make changes.',
    managedByOrganisation: 'Your organisation manages this account. Make this change there.',
    expiredInvitation: 'This invitation has expired or was already used. Ask for a new one.',
    identityTaken:
      'This account of the other service is already connected, to your account or to another one.',
    identityNotFound: 'This sign-in method is no longer connected. Reload the page.',
    lastSignInMethod: 'This is your only sign-in method. Add another one before you disconnect it.',
    identityEmailConflict: 'This can’t be disconnected, because another account uses the same email address.',
    organisationNotFound: 'Your organisation isn’t connected to this site. Use another sign-in method.',
    organisationDisabled:
      'Sign-in through your organisation is turned off on this site. Use another sign-in method.',
    organisationResponseInvalid:
      'Your organisation didn’t confirm your identity. Contact the administrators of your organisation.',
    walletsDisabled: 'Sign-in with a wallet is turned off on this site. Use another sign-in method.',
    walletUnsupported: 'This type of wallet isn’t supported. Use another sign-in method.',
    featureDisabled: 'This feature is turned off on this site.',
    attemptRejected: 'This attempt was rejected. Contact the administrators of this site.',
    promptExpired: 'This took too long. Start again.',
    credentialRejected: 'The passkey or security key wasn’t accepted. Try again, or use another one.',
    credentialExists: 'This passkey or security key is already set up.',
    factorNotFound: 'This second factor no longer exists. Reload the page.',
    factorNameTaken: 'You already have a second factor with this name. Choose another name.',
    networkChanged: 'Your network has changed. Start again.',
    phoneFactorExists: 'A phone is already set up as a second factor. Remove it first.',
    tooManyFactors: 'You’ve reached the maximum number of second factors. Remove one first.',
    tooManyPasskeys: 'You’ve reached the maximum number of passkeys. Remove one first.',
    appRequestNotFound: 'The request of the app is no longer valid. Go back to the app and start again.',
    appAccessNotFound: 'This app no longer has access to your account. Reload the page.',
    invalidInput: 'Your input is invalid. Check it and try again.',
    hookFailed: 'Couldn’t check a rule of this site. Contact the administrators of this site.',
    hookRejected: 'A rule of this site doesn’t allow this.',
    serverError: 'Something went wrong on our side. Please try again in a moment.',
    unknownError: 'Something went wrong. Try again.',
  },
  de: {
    wrongCredentials: 'E-Mail-Adresse, Telefonnummer oder Passwort ist falsch.',
    emailNotConfirmed:
      'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben.',
    phoneNotConfirmed:
      'Bestätigen Sie zuerst Ihre Telefonnummer: Verwenden Sie den Code, den wir Ihnen gesendet haben.',
    blocked: 'Dieses Konto ist gesperrt. Wenden Sie sich an die Administratoren dieser Website.',
    addressTaken:
      'Zu dieser E-Mail-Adresse oder Telefonnummer besteht bereits ein Konto. Melden Sie sich stattdessen an.',
    emailTaken: 'Zu dieser E-Mail-Adresse besteht bereits ein Konto. Melden Sie sich stattdessen an.',
    phoneTaken: 'Zu dieser Telefonnummer besteht bereits ein Konto. Melden Sie sich stattdessen an.',
    emailInvalid: 'Diese E-Mail-Adresse kann nicht verwendet werden. Versuchen Sie eine andere.',
    emailNotAuthorized: 'An diese Adresse können wir keine E-Mails senden. Versuchen Sie eine andere.',
    weakPassword: 'Dieses Passwort ist zu schwach.',
    samePassword: 'Wählen Sie ein anderes Passwort als Ihr aktuelles.',
    signUpDisabled: 'Die Erstellung von Konten ist auf dieser Website deaktiviert.',
    emailDisabled:
      'Die Anmeldung per E-Mail ist auf dieser Website deaktiviert. Verwenden Sie eine andere Anmeldemethode.',
    phoneDisabled:
      'Die Anmeldung per Telefon ist auf dieser Website deaktiviert. Verwenden Sie eine andere Anmeldemethode.',
    missingCredentials: 'Geben Sie eine E-Mail-Adresse oder Telefonnummer und ein Passwort ein.',
    tooManyAttempts: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es erneut.',
    tooManyMessages:
      'Es wurden zu viele Nachrichten angefordert. Warten Sie eine Minute und versuchen Sie es erneut.',
    smsFailed: 'Die SMS konnte nicht gesendet werden. Prüfen Sie die Nummer und versuchen Sie es erneut.',
    captchaFailed: 'Captcha fehlgeschlagen. Versuchen Sie es erneut.',
    wrongBrowser:
      'Dieser Link funktioniert nur in dem Browser, in dem Sie ihn angefordert haben. Öffnen Sie ihn dort oder melden Sie sich mit Ihrem Passwort an.',
    expiredLink: 'Dieser Link ist abgelaufen oder wurde bereits verwendet. Fordern Sie einen neuen an.',
    signInInterrupted: 'Die Anmeldung hat zu lange gedauert oder wurde unterbrochen. Beginnen Sie von vorn.',
    providerResponseInvalid: 'Der andere Dienst hat Ihre Identität nicht bestätigt. Beginnen Sie von vorn.',
    providerUnavailable:
      'Die Anmeldung mit diesem Dienst ist auf dieser Website nicht verfügbar. Verwenden Sie eine andere Anmeldemethode.',
    accessDenied: 'Der Zugriff wurde verweigert. Es wurde nichts geändert.',
    conflict: 'Gleichzeitig wurde etwas anderes geändert. Versuchen Sie es erneut.',
    tooLong: 'Ihre Eingabe ist zu lang. Kürzen Sie sie und versuchen Sie es erneut.',
    serviceTimeout: 'Der Anmeldedienst hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es erneut.',
    notAnEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    notAPhone: 'Geben Sie eine gültige Telefonnummer mit Ländervorwahl ein, zum Beispiel +49 1512 3456789.',
    longPassword: 'Passwörter dürfen höchstens 72 Zeichen lang sein, mit Umlauten oder Emojis weniger.',
    choosePassword: 'Wählen Sie ein Passwort.',
    currentPasswordRequired: 'Geben Sie Ihr aktuelles Passwort ein.',
    wrongCurrentPassword: 'Das aktuelle Passwort ist falsch.',
    codeRequired: 'Bestätigen Sie diese Änderung mit einem Code. Wir senden Ihnen einen.',
    wrongCode: 'Der Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie einen neuen an.',
    sessionExpired: 'Sie sind nicht mehr angemeldet. Melden Sie sich erneut an.',
    secondFactorRequired:
      'Bestätigen Sie Ihre Identität mit Ihrem zweiten Faktor, bevor Sie Änderungen vornehmen.',
    managedByOrganisation: 'Ihre Organisation verwaltet dieses Konto. Nehmen Sie die Änderung dort vor.',
    expiredInvitation:
      'Diese Einladung ist abgelaufen oder wurde bereits verwendet. Bitten Sie um eine neue.',
    identityTaken:
      'Dieses Konto des anderen Dienstes ist bereits verbunden, mit Ihrem Konto oder einem anderen.',
    identityNotFound: 'Diese Anmeldemethode ist nicht mehr verbunden. Laden Sie die Seite neu.',
    lastSignInMethod:
      'Dies ist Ihre einzige Anmeldemethode. Fügen Sie eine weitere hinzu, bevor Sie sie trennen.',
    identityEmailConflict:
      'Die Verbindung kann nicht getrennt werden, weil ein anderes Konto dieselbe E-Mail-Adresse verwendet.',
    organisationNotFound:
      'Ihre Organisation ist nicht mit dieser Website verbunden. Verwenden Sie eine andere Anmeldemethode.',
    organisationDisabled:
      'Die Anmeldung über Ihre Organisation ist auf dieser Website deaktiviert. Verwenden Sie eine andere Anmeldemethode.',
    organisationResponseInvalid:
      'Ihre Organisation hat Ihre Identität nicht bestätigt. Wenden Sie sich an die Administratoren Ihrer Organisation.',
    walletsDisabled:
      'Die Anmeldung mit einer Wallet ist auf dieser Website deaktiviert. Verwenden Sie eine andere Anmeldemethode.',
    walletUnsupported:
      'Diese Art von Wallet wird nicht unterstützt. Verwenden Sie eine andere Anmeldemethode.',
    featureDisabled: 'Diese Funktion ist auf dieser Website deaktiviert.',
    attemptRejected: 'Dieser Versuch wurde abgelehnt. Wenden Sie sich an die Administratoren dieser Website.',
    promptExpired: 'Der Vorgang hat zu lange gedauert. Beginnen Sie von vorn.',
    credentialRejected:
      'Der Passkey oder Sicherheitsschlüssel wurde nicht akzeptiert. Versuchen Sie es erneut oder verwenden Sie einen anderen.',
    credentialExists: 'Dieser Passkey oder Sicherheitsschlüssel ist bereits eingerichtet.',
    factorNotFound: 'Dieser zweite Faktor existiert nicht mehr. Laden Sie die Seite neu.',
    factorNameTaken:
      'Sie haben bereits einen zweiten Faktor mit diesem Namen. Wählen Sie einen anderen Namen.',
    networkChanged: 'Ihr Netzwerk hat sich geändert. Beginnen Sie von vorn.',
    phoneFactorExists: 'Ein Telefon ist bereits als zweiter Faktor eingerichtet. Entfernen Sie es zuerst.',
    tooManyFactors: 'Die maximale Anzahl an zweiten Faktoren ist erreicht. Entfernen Sie zuerst einen.',
    tooManyPasskeys: 'Die maximale Anzahl an Passkeys ist erreicht. Entfernen Sie zuerst einen.',
    appRequestNotFound:
      'Die Anfrage der App ist nicht mehr gültig. Gehen Sie zurück zur App und beginnen Sie von vorn.',
    appAccessNotFound: 'Diese App hat keinen Zugriff mehr auf Ihr Konto. Laden Sie die Seite neu.',
    invalidInput: 'Ihre Eingabe ist ungültig. Prüfen Sie sie und versuchen Sie es erneut.',
    hookFailed:
      'Eine Regel dieser Website konnte nicht geprüft werden. Wenden Sie sich an die Administratoren dieser Website.',
    hookRejected: 'Eine Regel dieser Website lässt dies nicht zu.',
    serverError: 'Bei uns ist ein Fehler aufgetreten. Bitte versuchen Sie es gleich erneut.',
    unknownError: 'Ein Fehler ist aufgetreten. Versuchen Sie es erneut.',
  },
});

export type AuthErrorText = keyof (typeof authErrorTexts)['en'];
