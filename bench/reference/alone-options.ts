/** Options of the app for references that render the pages of the demo without a server. */
import { fileURLToPath } from 'node:url';
import type { PageOptions } from '@greenroom/app';
import { readProduct } from '@greenroom/product';

const DEMO = fileURLToPath(new URL('../../demo/', import.meta.url));

const nothing = () => {};

/** @param backend the instance that loads the page's data once; loads that a page does not make may lead nowhere */
export async function aloneOptions(backend: Pick<PageOptions, 'apiUrl' | 'anonKey'>): Promise<PageOptions> {
  return {
    ...backend,
    product: await readProduct(DEMO),
    publicApiUrl: undefined,
    visitorHeaders: {},
    serviceRoleKey: undefined,
    hasMeta: false,
    hasOperator: false,
    publicUrl: undefined,
    location: { baseURL: '/', cdnURL: '', buildAssetsDir: '/assets/' },
    buildCheckSeconds: 0,
    redirects: [],
    providers: [],
    knownProviders: [],
    captcha: undefined,
    firstAdmin: undefined,
    deletedAccounts: undefined,
    home: { projectName: 'bench', publishableKey: '', services: [] },
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
