/** Texts of the admin area. */
import { defineTexts } from './define-texts.ts';

export const adminTexts = defineTexts({
  en: {
    metaTitle: 'Admin',
    metaDescription: 'Manage the users of this site.',
    users: 'Users',
    usersText: 'All accounts on this site.',
    pagesOfUsers: 'Pages of users',
    loadingUsers: 'Loading users…',
    range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
    emptyRange: (total: string) => `0 of ${total}`,
    noUsers: 'No users yet',
    noUsersText: 'New users appear in this list.',
    emptyPage: 'No users on this page',
    toFirstPage: 'Go to first page',
    listFailed: 'Couldn’t load users',
    noServiceKey: 'This server has no service key, which is required to list users.',
    tryAgain: 'Please try again in a moment.',
    columns: {
      user: 'User',
      role: 'Role',
      status: 'Status',
      created: 'Created',
      lastSignIn: 'Last sign-in',
    },
    never: 'Never',
    none: 'None',
    noAddress: 'No email or phone',
    copyUserId: 'Copy user ID',
    toHome: 'Go to Home',
    verify: 'Verify it’s you',
    refusals: {
      notAdmin: {
        title: 'Admins only',
        text: 'Only administrators can open this page. Ask an administrator for access.',
      },
      secondFactor: {
        title: 'Two-factor verification required',
        text: 'Your account uses two-factor authentication. Verify your second factor to open this page.',
      },
    },
    factors: {
      title: 'Second factors',
      list: 'Verified factors',
      none: 'This user has no second factor.',
      warning:
        'Remove a factor only if the user has lost it and you’ve verified who is asking. Without a second factor, the password is enough to sign in, and the recovery codes are deleted.',
      added: 'added',
      remove: (name: string) => `Remove ${name}`,
      removeShort: 'Remove',
      kinds: { totp: 'Authenticator app', phone: 'Text message', webauthn: 'Security key' } as Record<
        string,
        string
      >,
    },
    claim: {
      title: 'Become an administrator',
      text: (name: string) =>
        `This link makes ${name} an administrator with full access to this site. It works once and expires one hour after it was created.`,
      submit: 'Become an administrator',
      refused: 'This link is invalid or has expired',
      refusedText:
        'It was already used, is older than one hour or is incomplete. To get a new link, run “npx greenroom admin-link” on the server.',
    },
  },
  de: {
    metaTitle: 'Verwaltung',
    metaDescription: 'Die Benutzer dieser Website verwalten.',
    users: 'Benutzer',
    usersText: 'Alle Konten auf dieser Website.',
    pagesOfUsers: 'Seiten der Benutzerliste',
    loadingUsers: 'Benutzer werden geladen …',
    range: (first: string, last: string, total: string) => `${first}–${last} von ${total}`,
    emptyRange: (total: string) => `0 von ${total}`,
    noUsers: 'Noch keine Benutzer',
    noUsersText: 'Neue Benutzer erscheinen in dieser Liste.',
    emptyPage: 'Keine Benutzer auf dieser Seite',
    toFirstPage: 'Zur ersten Seite',
    listFailed: 'Benutzer konnten nicht geladen werden',
    noServiceKey:
      'Dieser Server hat keinen Dienstschlüssel, der zum Auflisten von Benutzern erforderlich ist.',
    tryAgain: 'Bitte versuchen Sie es gleich erneut.',
    columns: {
      user: 'Benutzer',
      role: 'Rolle',
      status: 'Status',
      created: 'Erstellt',
      lastSignIn: 'Letzte Anmeldung',
    },
    never: 'Nie',
    none: 'Keine',
    noAddress: 'Keine E-Mail-Adresse oder Telefonnummer',
    copyUserId: 'Benutzer-ID kopieren',
    toHome: 'Zur Startseite',
    verify: 'Identität bestätigen',
    refusals: {
      notAdmin: {
        title: 'Nur für Administratoren',
        text: 'Nur Administratoren können diese Seite öffnen. Bitten Sie einen Administrator um Zugriff.',
      },
      secondFactor: {
        title: 'Zwei-Faktor-Bestätigung erforderlich',
        text: 'Ihr Konto verwendet die Zwei-Faktor-Authentifizierung. Bestätigen Sie Ihren zweiten Faktor, um diese Seite zu öffnen.',
      },
    },
    factors: {
      title: 'Zweite Faktoren',
      list: 'Bestätigte Faktoren',
      none: 'Dieser Benutzer hat keinen zweiten Faktor.',
      warning:
        'Entfernen Sie einen Faktor nur, wenn der Benutzer ihn verloren hat und Sie die Identität des Anfragenden geprüft haben. Ohne zweiten Faktor reicht das Passwort zur Anmeldung, und die Wiederherstellungscodes werden gelöscht.',
      added: 'hinzugefügt am',
      remove: (name: string) => `${name} entfernen`,
      removeShort: 'Entfernen',
      kinds: { totp: 'Authenticator-App', phone: 'SMS', webauthn: 'Sicherheitsschlüssel' } as Record<
        string,
        string
      >,
    },
    claim: {
      title: 'Administrator werden',
      text: (name: string) =>
        `Dieser Link macht ${name} zum Administrator mit vollem Zugriff auf diese Website. Er funktioniert nur einmal und läuft eine Stunde nach seiner Erstellung ab.`,
      submit: 'Administrator werden',
      refused: 'Dieser Link ist ungültig oder abgelaufen',
      refusedText:
        'Er wurde bereits verwendet, ist älter als eine Stunde oder ist unvollständig. Führen Sie auf dem Server „npx greenroom admin-link“ aus, um einen neuen Link zu erhalten.',
    },
  },
});
