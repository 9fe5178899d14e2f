/** Texts of the page on which users grant an OAuth application access. */
import { defineTexts } from './define-texts.ts';

export const consentTexts = defineTexts({
  en: {
    metaTitle: 'Allow an application',
    metaDescription: 'Lets another application know who you are at Greenroom.',
    unnamed: 'An application without a name',
    title: (name: string) => `Sign in to ${name}?`,
    lead: 'This application asks who you are. Allow it only if you know it and have come from there.',
    you: 'You are',
    answeredAt: 'It is answered at',
    place: {
      site: (name: string) => name,
      machine: (name: string) => `${name}, on this computer`,
      app: (name: string) => `an app on this device (${name})`,
    },
    gets: 'What it gets to know',
    scopes: {
      openid: 'That it is you: the number of your account',
      email: 'Your email address',
      profile: 'Your name, your user name and your picture',
      phone: 'Your phone number',
      offline_access: 'All of this later, too, until you take it back',
    },
    more: 'It also sees your account as you see it, and can use this site in your name as far as the site lets applications do so. It cannot change how you sign in.',
    takeBack: 'You can take this back at any time on your account page.',
    allow: 'Allow',
    deny: 'Don’t allow',
    goingOn: (name: string) => `On to ${name}`,
    goingOnText: 'If nothing happens, go on with the button.',
    goOn: 'Go on',
    gone: 'This cannot be allowed any more',
    goneText:
      'The request has expired, was answered before, or belongs to another account. Go back to the application and start again.',
    failed: 'This did not work',
    toHome: 'Go to home',
  },
  de: {
    metaTitle: 'Einer Anwendung erlauben',
    metaDescription: 'Lässt eine andere Anwendung wissen, wer Sie bei Greenroom sind.',
    unnamed: 'Eine Anwendung ohne Namen',
    title: (name: string) => `Bei ${name} anmelden?`,
    lead: 'Diese Anwendung fragt, wer Sie sind. Erlauben Sie das nur, wenn Sie sie kennen und von dort kommen.',
    you: 'Sie sind',
    answeredAt: 'Die Antwort geht an',
    place: {
      site: (name: string) => name,
      machine: (name: string) => `${name}, auf diesem Rechner`,
      app: (name: string) => `eine App auf diesem Gerät (${name})`,
    },
    gets: 'Was sie erfährt',
    scopes: {
      openid: 'Dass Sie es sind: die Nummer Ihres Kontos',
      email: 'Ihre E-Mail-Adresse',
      profile: 'Ihren Namen, Ihren Benutzernamen und Ihr Bild',
      phone: 'Ihre Telefonnummer',
      offline_access: 'All das auch später, bis Sie es zurücknehmen',
    },
    more: 'Sie sieht außerdem Ihr Konto, wie Sie es sehen, und kann diese Seite in Ihrem Namen benutzen, soweit die Seite das Anwendungen erlaubt. Wie Sie sich anmelden, kann sie nicht ändern.',
    takeBack: 'Sie können das jederzeit auf Ihrer Kontoseite zurücknehmen.',
    allow: 'Erlauben',
    deny: 'Nicht erlauben',
    goingOn: (name: string) => `Weiter zu ${name}`,
    goingOnText: 'Wenn nichts geschieht, geht es mit dem Knopf weiter.',
    goOn: 'Weiter',
    gone: 'Das lässt sich nicht mehr erlauben',
    goneText:
      'Die Anfrage ist abgelaufen, wurde schon beantwortet oder gehört zu einem anderen Konto. Gehen Sie zurück zur Anwendung und beginnen Sie von vorn.',
    failed: 'Das hat nicht geklappt',
    toHome: 'Zur Startseite',
  },
});

export type ConsentTexts = (typeof consentTexts)['en'];
