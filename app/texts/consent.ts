/** Texts of the page on which users grant an OAuth application access. */
import { defineTexts } from './define-texts.ts';

export const consentTexts = defineTexts({
  en: {
    metaTitle: 'Authorize app',
    metaDescription: (site: string) => `Gives an app access to your ${site} account.`,
    unnamed: 'Unnamed app',
    title: (name: string) => `Authorize ${name}`,
    lead: (name: string, site: string) => `${name} wants to access your ${site} account.`,
    warning: 'Authorize it only if you know this app and just came from it.',
    signedInAs: 'Signed in as',
    redirectsTo: 'Redirects to',
    place: {
      site: (name: string) => name,
      machine: (name: string) => `${name}, on this computer`,
      app: (name: string) => `an app on this device (${name})`,
    },
    permissions: 'This app will be able to:',
    scopes: {
      openid: 'Identify you by your user ID',
      email: 'View your email address',
      profile: 'View your name, username and profile picture',
      phone: 'View your phone number',
      offline_access: 'Keep this access when you aren’t using the app, until you revoke it',
    },
    apiAccess:
      'The app can also view your account as you do, and use this site on your behalf where the site allows it. It can’t change how you sign in.',
    revocation: 'You can revoke access at any time on your account page.',
    authorize: 'Authorize',
    cancel: 'Cancel',
    redirecting: (name: string) => `Redirecting to ${name}…`,
    redirectingText: 'If you aren’t redirected, select Continue.',
    continue: 'Continue',
    expiredTitle: 'This request is no longer valid',
    expiredText:
      'The request has expired, was already answered or belongs to another account. Go back to the app and start again.',
    failedTitle: 'Authorization failed',
    toHome: 'Go to Home',
  },
  de: {
    metaTitle: 'App autorisieren',
    metaDescription: (site) => `Gewährt einer App Zugriff auf Ihr ${site}-Konto.`,
    unnamed: 'Unbenannte App',
    title: (name: string) => `${name} autorisieren`,
    lead: (name: string, site: string) => `${name} möchte auf Ihr ${site}-Konto zugreifen.`,
    warning: 'Autorisieren Sie die App nur, wenn Sie sie kennen und gerade von dort kommen.',
    signedInAs: 'Angemeldet als',
    redirectsTo: 'Weiterleitung zu',
    place: {
      site: (name: string) => name,
      machine: (name: string) => `${name}, auf diesem Computer`,
      app: (name: string) => `eine App auf diesem Gerät (${name})`,
    },
    permissions: 'Diese App kann dann:',
    scopes: {
      openid: 'Sie anhand Ihrer Benutzer-ID identifizieren',
      email: 'Ihre E-Mail-Adresse sehen',
      profile: 'Ihren Namen, Ihren Benutzernamen und Ihr Profilbild sehen',
      phone: 'Ihre Telefonnummer sehen',
      offline_access: 'Den Zugriff behalten, wenn Sie die App nicht verwenden, bis Sie ihn entziehen',
    },
    apiAccess:
      'Die App kann außerdem Ihr Konto wie Sie selbst sehen und diese Website in Ihrem Namen verwenden, soweit die Website dies erlaubt. Wie Sie sich anmelden, kann sie nicht ändern.',
    revocation: 'Sie können den Zugriff jederzeit auf Ihrer Kontoseite entziehen.',
    authorize: 'Autorisieren',
    cancel: 'Abbrechen',
    redirecting: (name: string) => `Weiterleitung zu ${name} …`,
    redirectingText: 'Falls Sie nicht weitergeleitet werden, wählen Sie „Weiter“.',
    continue: 'Weiter',
    expiredTitle: 'Diese Anfrage ist nicht mehr gültig',
    expiredText:
      'Die Anfrage ist abgelaufen, wurde bereits beantwortet oder gehört zu einem anderen Konto. Gehen Sie zurück zur App und beginnen Sie von vorn.',
    failedTitle: 'Autorisierung fehlgeschlagen',
    toHome: 'Zur Startseite',
  },
});

export type ConsentTexts = (typeof consentTexts)['en'];
