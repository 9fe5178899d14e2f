import { defineTexts } from './define-texts.ts';

export const adminTexts = defineTexts({
  en: {
    metaTitle: 'Admin',
    metaDescription: 'The admin area of Greenroom.',
    users: 'Users',
    usersText: 'Everybody who has an account here.',
    pagesOfUsers: 'Pages of users',
    loadingUsers: 'Loading users…',
    range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
    emptyRange: (total: string) => `0 of ${total}`,
    noUsers: 'Nobody has signed up yet',
    noUsersText: 'Whoever signs up appears here.',
    beyond: 'There are no users on this page',
    toFirstPage: 'Go to the first page',
    listFailed: 'The list could not be loaded',
    noServiceKey: 'This server has no service key, so it cannot list users.',
    tryAgain: 'Please try again in a moment.',
    columns: {
      user: 'User',
      role: 'Role',
      status: 'Status',
      created: 'Created',
      lastSignIn: 'Last sign-in',
    },
    confirmed: 'Confirmed',
    unconfirmed: 'Unconfirmed',
    never: 'Never',
    none: 'None',
    noAddress: 'No address',
    copyUserId: 'Copy user id',
    toHome: 'Go to home',
    enterCode: 'Enter code',
    refusals: {
      notAdmin: {
        title: 'Admins only',
        text: 'This part of Greenroom is for administrators. Your account is not one of them.',
      },
      secondFactor: {
        title: 'Second step needed',
        text: 'Your account is protected by a second factor. Sign in with it to enter the admin area.',
      },
    },
    factors: {
      title: 'Second factors',
      list: 'Verified factors',
      none: 'This user has no second factor.',
      warning:
        'Remove a factor only when its user has lost it, and when you are sure that it is them who asks. Without a factor the password alone signs in, and the recovery codes are deleted.',
      since: 'since',
      remove: (name: string) => `Remove ${name}`,
      removeShort: 'Remove',
      toUsers: 'All users',
      kinds: { totp: 'Authenticator app', phone: 'Phone', webauthn: 'Security key' } as Record<
        string,
        string
      >,
      manage: (name: string) => `Second factors of ${name}`,
    },
    claim: {
      title: 'Become the administrator',
      text: (name: string) =>
        `This link makes ${name} an administrator, with the right to manage everything here. It works once, within an hour of its creation.`,
      submit: 'Become the administrator',
      refused: 'This link does not work',
      refusedText:
        'It was already used, is older than an hour, or is not complete. On the machine of this site, the command "npx greenroom admin-link" prints a new one.',
    },
  },
  de: {
    metaTitle: 'Verwaltung',
    metaDescription: 'Die Verwaltung von Greenroom.',
    users: 'Benutzer',
    usersText: 'Alle, die hier ein Konto haben.',
    pagesOfUsers: 'Seiten der Benutzerliste',
    loadingUsers: 'Benutzer werden geladen …',
    range: (first: string, last: string, total: string) => `${first}–${last} von ${total}`,
    emptyRange: (total: string) => `0 von ${total}`,
    noUsers: 'Noch hat sich niemand registriert',
    noUsersText: 'Wer sich registriert, erscheint hier.',
    beyond: 'Auf dieser Seite sind keine Benutzer',
    toFirstPage: 'Zur ersten Seite',
    listFailed: 'Die Liste konnte nicht geladen werden',
    noServiceKey: 'Dieser Server hat keinen Dienstschlüssel und kann daher keine Benutzer auflisten.',
    tryAgain: 'Versuchen Sie es gleich noch einmal.',
    columns: {
      user: 'Benutzer',
      role: 'Rolle',
      status: 'Status',
      created: 'Erstellt',
      lastSignIn: 'Letzte Anmeldung',
    },
    confirmed: 'Bestätigt',
    unconfirmed: 'Unbestätigt',
    never: 'Nie',
    none: 'Keine',
    noAddress: 'Keine Adresse',
    copyUserId: 'Benutzerkennung kopieren',
    toHome: 'Zur Startseite',
    enterCode: 'Code eingeben',
    refusals: {
      notAdmin: {
        title: 'Nur für die Verwaltung',
        text: 'Dieser Teil von Greenroom ist der Verwaltung vorbehalten. Ihr Konto gehört nicht dazu.',
      },
      secondFactor: {
        title: 'Zweiter Schritt nötig',
        text: 'Ihr Konto ist durch einen zweiten Faktor geschützt. Melden Sie sich damit an, um die Verwaltung zu betreten.',
      },
    },
    factors: {
      title: 'Zweite Faktoren',
      list: 'Bestätigte Faktoren',
      none: 'Dieses Konto hat keinen zweiten Faktor.',
      warning:
        'Entfernen Sie einen Faktor nur, wenn er verloren ist und Sie sicher sind, wer Sie darum bittet. Ohne Faktor genügt das Passwort, und die Wiederherstellungscodes werden gelöscht.',
      since: 'seit',
      remove: (name: string) => `${name} entfernen`,
      removeShort: 'Entfernen',
      toUsers: 'Alle Benutzer',
      kinds: { totp: 'Authenticator-App', phone: 'Telefon', webauthn: 'Sicherheitsschlüssel' } as Record<
        string,
        string
      >,
      manage: (name: string) => `Zweite Faktoren von ${name}`,
    },
    claim: {
      title: 'Verwaltung übernehmen',
      text: (name: string) =>
        `Dieser Link macht ${name} zum Administrator, mit dem Recht, hier alles zu verwalten. Er gilt einmal, innerhalb einer Stunde nach seiner Erstellung.`,
      submit: 'Verwaltung übernehmen',
      refused: 'Dieser Link gilt nicht',
      refusedText:
        'Er wurde schon verwendet, ist älter als eine Stunde, oder er ist unvollständig. Auf dem Rechner dieser Seite gibt der Befehl „npx greenroom admin-link“ einen neuen aus.',
    },
  },
});
