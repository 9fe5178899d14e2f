/** Texts of the card "Connected apps": OAuth applications with access to the account. */
import { defineTexts } from './define-texts.ts';

export const connectedAppsTexts = defineTexts({
  en: {
    title: 'Connected apps',
    lead: 'Apps you signed in to with this account.',
    loadFailed: 'Couldn’t load your connected apps. Reload the page.',
    none: 'No connected apps.',
    unnamed: 'Unnamed app',
    grantedOn: 'Access granted',
    revoke: 'Revoke access',
    revokeFor: (app: string) => `Revoke access for ${app}`,
    confirmTitle: (app: string) => `Revoke access for ${app}?`,
    confirmText:
      'The app is signed out of your account and must ask for access again. It may keep data it already received.',
    cancel: 'Cancel',
    revoked: 'Access revoked.',
  },
  de: {
    title: 'Verbundene Apps',
    lead: 'Apps, bei denen Sie sich mit diesem Konto angemeldet haben.',
    loadFailed: 'Ihre verbundenen Apps konnten nicht geladen werden. Laden Sie die Seite neu.',
    none: 'Keine verbundenen Apps.',
    unnamed: 'Unbenannte App',
    grantedOn: 'Zugriff erteilt am',
    revoke: 'Zugriff entziehen',
    revokeFor: (app: string) => `Zugriff entziehen: ${app}`,
    confirmTitle: (app: string) => `${app} den Zugriff entziehen?`,
    confirmText:
      'Die App wird von Ihrem Konto abgemeldet und muss erneut um Zugriff bitten. Bereits erhaltene Daten kann sie behalten.',
    cancel: 'Abbrechen',
    revoked: 'Zugriff entzogen.',
  },
});
