/**
 * Texts of the sign-in page as it first appears. Texts for later steps are in files of their own, which
 * load on demand.
 */
import { defineTexts } from './define-texts.ts';

export const loginTexts = defineTexts({
  en: {
    signIn: {
      metaTitle: 'Sign in',
      title: 'Welcome back',
      lead: { email: 'Sign in to your account.', phone: 'Sign in to your account.' },
      submit: 'Sign in',
      pending: 'Signing in…',
      question: 'No account yet?',
      otherMode: 'Create account',
    },
    signUp: {
      metaTitle: 'Create your account',
      title: 'Create your account',
      lead: {
        email: 'You only need an email address and a password.',
        phone: 'You only need a phone number and a password.',
      },
      submit: 'Create account',
      pending: 'Creating your account…',
      question: 'Already have an account?',
      otherMode: 'Sign in',
    },
    metaDescription: (site: string) => `Sign in to ${site} with your email address or phone number.`,
    signInWith: 'Sign in with',
    oneTimeTitles: {
      code: 'Sign in with a code',
      recover: 'Reset your password',
      factor: 'Two-factor verification',
    },
    withCode: 'Sign in with a code',
    forgotPassword: 'Forgot your password?',
    email: 'Email',
    phone: 'Phone',
    emailAddress: 'Email address',
    emailPlaceholder: 'name@example.com',
    phoneNumber: 'Phone number',
    phonePlaceholder: '+44 7700 900123',
    password: 'Password',
    panel: {
      title: 'A room of your own, behind one door.',
      sessions: {
        title: 'Control your sessions',
        text: 'See where you’re signed in. Sign out one device or all of them.',
      },
      privacy: {
        title: 'No trackers',
        text: 'No scripts or fonts from third parties.',
      },
      withoutScripts: {
        title: 'Works without JavaScript',
        text: 'Sign in before scripts have loaded, or with scripts turned off.',
      },
    },
  },
  de: {
    signIn: {
      metaTitle: 'Anmelden',
      title: 'Willkommen zurück',
      lead: { email: 'Melden Sie sich bei Ihrem Konto an.', phone: 'Melden Sie sich bei Ihrem Konto an.' },
      submit: 'Anmelden',
      pending: 'Anmeldung läuft …',
      question: 'Noch kein Konto?',
      otherMode: 'Konto erstellen',
    },
    signUp: {
      metaTitle: 'Konto erstellen',
      title: 'Konto erstellen',
      lead: {
        email: 'Sie benötigen nur eine E-Mail-Adresse und ein Passwort.',
        phone: 'Sie benötigen nur eine Telefonnummer und ein Passwort.',
      },
      submit: 'Konto erstellen',
      pending: 'Konto wird erstellt …',
      question: 'Bereits ein Konto?',
      otherMode: 'Anmelden',
    },
    metaDescription: (site) => `Melden Sie sich mit Ihrer E-Mail-Adresse oder Telefonnummer bei ${site} an.`,
    signInWith: 'Anmelden mit',
    oneTimeTitles: {
      code: 'Mit Code anmelden',
      recover: 'Passwort zurücksetzen',
      factor: 'Zwei-Faktor-Bestätigung',
    },
    withCode: 'Mit Code anmelden',
    forgotPassword: 'Passwort vergessen?',
    email: 'E-Mail',
    phone: 'Telefon',
    emailAddress: 'E-Mail-Adresse',
    emailPlaceholder: 'name@example.com',
    phoneNumber: 'Telefonnummer',
    phonePlaceholder: '+49 1512 3456789',
    password: 'Passwort',
    panel: {
      title: 'Ein eigener Raum hinter einer einzigen Tür.',
      sessions: {
        title: 'Kontrolle über Ihre Sitzungen',
        text: 'Sehen Sie, wo Sie angemeldet sind. Melden Sie einzelne oder alle Geräte ab.',
      },
      privacy: {
        title: 'Keine Tracker',
        text: 'Keine Skripte oder Schriften von Drittanbietern.',
      },
      withoutScripts: {
        title: 'Funktioniert ohne JavaScript',
        text: 'Melden Sie sich an, bevor Skripte geladen sind oder wenn sie deaktiviert sind.',
      },
    },
  },
});
