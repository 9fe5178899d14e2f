/** Texts of the card "Sign-in methods": the identities of an account. */
import { defineTexts } from './define-texts.ts';

export const signInMethodTexts = defineTexts({
  en: {
    title: 'Sign-in methods',
    lead: 'Addresses and services you can sign in with.',
    identifiers: { email: 'Email', phone: 'Phone' },
    none: 'No sign-in methods yet.',
    connect: (service: string) => `Connect ${service}`,
    disconnect: 'Disconnect',
    disconnectFrom: (service: string) => `Disconnect ${service}`,
    disconnected: 'Sign-in method disconnected.',
    confirmTitle: (service: string) => `Disconnect ${service}?`,
    confirmText: (service: string) => `You will no longer be able to sign in with ${service}.`,
    cancel: 'Cancel',
    disabled: 'Connecting and disconnecting sign-in methods is turned off on this site.',
    onlyMethod: 'This is your only sign-in method. Add another one before you disconnect it.',
    addressTaken:
      'Another account uses the email address you would keep. Change your email address, then try again.',
  },
  de: {
    title: 'Anmeldemethoden',
    lead: 'Adressen und Dienste, mit denen Sie sich anmelden können.',
    identifiers: { email: 'E-Mail', phone: 'Telefon' },
    none: 'Noch keine Anmeldemethoden.',
    connect: (service: string) => `Mit ${service} verbinden`,
    disconnect: 'Trennen',
    disconnectFrom: (service: string) => `${service} trennen`,
    disconnected: 'Anmeldemethode getrennt.',
    confirmTitle: (service: string) => `${service} trennen?`,
    confirmText: (service: string) => `Sie können sich dann nicht mehr mit ${service} anmelden.`,
    cancel: 'Abbrechen',
    disabled: 'Das Verbinden und Trennen von Anmeldemethoden ist auf dieser Website deaktiviert.',
    onlyMethod: 'Dies ist Ihre einzige Anmeldemethode. Fügen Sie eine weitere hinzu, bevor Sie sie trennen.',
    addressTaken:
      'Ein anderes Konto verwendet die verbleibende E-Mail-Adresse. Ändern Sie Ihre E-Mail-Adresse und versuchen Sie es erneut.',
  },
});
