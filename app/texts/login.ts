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
      lead: { email: 'Sign in to your room.', phone: 'Sign in to your room.' },
      submit: 'Sign in',
      pending: 'Signing in…',
      question: 'New here?',
      other: 'Create an account',
    },
    signUp: {
      metaTitle: 'Create your account',
      title: 'Create your account',
      lead: {
        email: 'All it takes is an email address and a password.',
        phone: 'All it takes is a phone number and a password.',
      },
      submit: 'Create account',
      pending: 'Creating your account…',
      question: 'Already have an account?',
      other: 'Sign in',
    },
    metaDescription: 'Sign in to Greenroom with your email address or phone number.',
    signInWith: 'Sign in with',
    oneTimeTitles: { code: 'Sign in with a code', recover: 'Forgotten password', factor: 'Second step' },
    byCode: 'Sign in with a code',
    forgotten: 'Forgotten your password?',
    email: 'Email',
    phone: 'Phone',
    emailAddress: 'Email address',
    emailPlaceholder: 'name@example.com',
    phoneNumber: 'Phone number',
    phonePlaceholder: '+44 7700 900123',
    password: 'Password',
    panel: {
      title: 'A room of your own, behind one door.',
      control: {
        title: 'Yours to close',
        text: 'See how you are signed in, and sign out of one device or of all of them.',
      },
      privacy: {
        title: 'Nobody looks over your shoulder',
        text: 'No trackers, and no scripts or fonts from anybody else.',
      },
      speed: {
        title: 'Open at once',
        text: 'The door works before any script has loaded, and without one.',
      },
    },
  },
  de: {
    signIn: {
      metaTitle: 'Anmelden',
      title: 'Willkommen zurück',
      lead: { email: 'Melden Sie sich in Ihrem Raum an.', phone: 'Melden Sie sich in Ihrem Raum an.' },
      submit: 'Anmelden',
      pending: 'Anmeldung läuft …',
      question: 'Neu hier?',
      other: 'Konto erstellen',
    },
    signUp: {
      metaTitle: 'Konto erstellen',
      title: 'Konto erstellen',
      lead: {
        email: 'Sie brauchen nur eine E-Mail-Adresse und ein Passwort.',
        phone: 'Sie brauchen nur eine Telefonnummer und ein Passwort.',
      },
      submit: 'Konto erstellen',
      pending: 'Konto wird erstellt …',
      question: 'Haben Sie schon ein Konto?',
      other: 'Anmelden',
    },
    metaDescription: 'Melden Sie sich mit Ihrer E-Mail-Adresse oder Telefonnummer bei Greenroom an.',
    signInWith: 'Anmelden mit',
    oneTimeTitles: { code: 'Mit Code anmelden', recover: 'Passwort vergessen', factor: 'Zweiter Schritt' },
    byCode: 'Mit Code anmelden',
    forgotten: 'Passwort vergessen?',
    email: 'E-Mail',
    phone: 'Telefon',
    emailAddress: 'E-Mail-Adresse',
    emailPlaceholder: 'name@example.com',
    phoneNumber: 'Telefonnummer',
    phonePlaceholder: '+49 1512 3456789',
    password: 'Passwort',
    panel: {
      title: 'Ein eigener Raum hinter einer einzigen Tür.',
      control: {
        title: 'Sie schließen ab',
        text: 'Sehen Sie, wie Sie angemeldet sind, und melden Sie ein Gerät oder alle ab.',
      },
      privacy: {
        title: 'Niemand schaut Ihnen über die Schulter',
        text: 'Keine Tracker und keine Skripte oder Schriften von anderen.',
      },
      speed: {
        title: 'Sofort offen',
        text: 'Die Tür geht auf, bevor ein Skript geladen ist, und auch ganz ohne.',
      },
    },
  },
});
