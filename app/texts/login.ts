/** Texts of the sign-in page, and of what can be wrong with its form. */
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
    email: 'Email',
    phone: 'Phone',
    emailAddress: 'Email address',
    emailPlaceholder: 'name@example.com',
    phoneNumber: 'Phone number',
    phonePlaceholder: '+44 7700 900123',
    password: 'Password',
    passwordHint: (least: number) => `At least ${least} characters.`,
    google: 'Continue with Google',
    or: 'or',
    sent: {
      email: 'Check your email',
      phone: 'Check your messages',
      emailText: 'Open the link in it in this browser to finish creating your account. We sent it to',
      phoneText: 'Use the code in it to finish creating your account. We sent it to',
      back: 'Back to sign in',
    },
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
    problems: {
      missing: 'You must provide either an email or phone number and a password',
      enterEmail: 'Enter your email address.',
      enterPhone: 'Enter your phone number.',
      enterPassword: 'Enter your password.',
      choosePassword: 'Choose a password.',
      longEmail: (most: number) => `Use an address of at most ${most} characters.`,
      notAnEmail: 'This is not an email address. It should look like name@example.com.',
      notAPhone: 'Enter the number with its country code, for example +44 7700 900123.',
      badCharacter: 'A password cannot contain this character.',
      shortPassword: (least: number) => `Use at least ${least} characters.`,
      longPassword: (most: number) =>
        `Use a shorter password: at most ${most} letters, fewer with accents or emoji.`,
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
    email: 'E-Mail',
    phone: 'Telefon',
    emailAddress: 'E-Mail-Adresse',
    emailPlaceholder: 'name@example.com',
    phoneNumber: 'Telefonnummer',
    phonePlaceholder: '+49 1512 3456789',
    password: 'Passwort',
    passwordHint: (least: number) => `Mindestens ${least} Zeichen.`,
    google: 'Weiter mit Google',
    or: 'oder',
    sent: {
      email: 'Sehen Sie in Ihre E-Mails',
      phone: 'Sehen Sie in Ihre Nachrichten',
      emailText: 'Öffnen Sie den Link darin in diesem Browser, um Ihr Konto fertigzustellen. Gesendet an',
      phoneText: 'Mit dem Code darin stellen Sie Ihr Konto fertig. Gesendet an',
      back: 'Zurück zur Anmeldung',
    },
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
    problems: {
      missing: 'Geben Sie eine E-Mail-Adresse oder Telefonnummer und ein Passwort an',
      enterEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
      enterPhone: 'Geben Sie Ihre Telefonnummer ein.',
      enterPassword: 'Geben Sie Ihr Passwort ein.',
      choosePassword: 'Wählen Sie ein Passwort.',
      longEmail: (most: number) => `Die Adresse darf höchstens ${most} Zeichen haben.`,
      notAnEmail: 'Das ist keine E-Mail-Adresse. Sie sollte so aussehen: name@example.com.',
      notAPhone: 'Geben Sie die Nummer mit Ländervorwahl ein, zum Beispiel +49 1512 3456789.',
      badCharacter: 'Dieses Zeichen darf in einem Passwort nicht vorkommen.',
      shortPassword: (least: number) => `Verwenden Sie mindestens ${least} Zeichen.`,
      longPassword: (most: number) =>
        `Verwenden Sie ein kürzeres Passwort: höchstens ${most} Buchstaben, weniger mit Umlauten oder Emoji.`,
    },
  },
});

/** Texts about what is wrong with the form, in one language. */
export type ProblemTexts = (typeof loginTexts)['en']['problems'];
