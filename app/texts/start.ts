/** Texts of the start page of a project without pages. */
import { defineTexts } from './define-texts.ts';

export const startTexts = defineTexts({
  en: {
    description: 'This project runs on Greenroom.',
    signIn: 'Sign in',
    account: 'Account',
    admin: 'Admin area',
    connect: 'Connect',
    connectText: 'Use this URL and key in your app. The key is public.',
    url: 'Project URL',
    publishableKey: 'Publishable key',
    services: { auth: 'Authentication', data: 'Data API', realtime: 'Realtime', storage: 'Storage' },
    copyUrl: 'Copy project URL',
    copyKey: 'Copy publishable key',
    copyAddress: (service: string) => `Copy address: ${service}`,
    firstCall: 'Create a client',
    firstCallText: 'With the official JavaScript client.',
    copyCode: 'Copy code',
  },
  de: {
    description: 'Dieses Projekt läuft auf Greenroom.',
    signIn: 'Anmelden',
    account: 'Konto',
    admin: 'Verwaltung',
    connect: 'Verbinden',
    connectText: 'Verwenden Sie diese URL und diesen Schlüssel in Ihrer App. Der Schlüssel ist öffentlich.',
    url: 'Projekt-URL',
    publishableKey: 'Öffentlicher Schlüssel',
    services: { auth: 'Anmeldung', data: 'Daten-API', realtime: 'Echtzeit', storage: 'Speicher' },
    copyUrl: 'Projekt-URL kopieren',
    copyKey: 'Öffentlichen Schlüssel kopieren',
    copyAddress: (service: string) => `Adresse kopieren: ${service}`,
    firstCall: 'Client erstellen',
    firstCallText: 'Mit dem offiziellen JavaScript-Client.',
    copyCode: 'Code kopieren',
  },
});
