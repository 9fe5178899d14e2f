/** Options of the app for references that render its pages without a server. */
import type { PageOptions } from '@greenroom/app';

const nothing = () => {};

/** @param backend the instance that loads the page's data once; loads that a page does not make may lead nowhere */
export function aloneOptions(backend: Pick<PageOptions, 'apiUrl' | 'anonKey'>): PageOptions {
  return {
    ...backend,
    publicApiUrl: undefined,
    visitorHeaders: {},
    serviceRoleKey: undefined,
    publicUrl: undefined,
    location: { baseURL: '/', cdnURL: '', buildAssetsDir: '/assets/' },
    buildCheckSeconds: 0,
    redirects: [],
    providers: [],
    knownProviders: [],
    captcha: undefined,
    firstAdmin: undefined,
    deletedAccounts: undefined,
    home: { kind: 'board' },
    guard: {
      enabled: true,
      login: '/login',
      callback: '/confirm',
      include: undefined,
      exclude: [],
      saveRedirect: true,
    },
    cookiePrefix: undefined,
    log: { info: nothing, warn: nothing, error: nothing },
  };
}
