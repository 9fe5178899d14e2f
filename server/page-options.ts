import type { PageOptions } from '@greenroom/app';
import { PAGES_TOKEN_HEADER } from '@greenroom/http';
import type { Logger } from '@greenroom/log';
import type { Product } from '@greenroom/product';
import type { Backend } from './backend.ts';
import { deletedAccounts } from './deleted-accounts.ts';
import { firstAdminLinks } from './first-admin.ts';
import { knownProviders, offeredProviders } from './page-providers.ts';
import { enabledServices } from './services.ts';
import type { Config } from './settings.ts';

/** Sources of the options. */
export interface PageSources {
  config: Config;
  /** Undefined means that the app runs alone on a hosted backend. */
  backend: Backend | undefined;
  /** Shown on the built-in home page. */
  projectName: string;
  /** Undefined if the project has no greenroom.config.ts. */
  product: Product | undefined;
  log: Logger;
  /** Sends requests to the API of this process over HTTPS; undefined if it speaks HTTP. */
  ownFetch: typeof fetch | undefined;
  /** Proves to the API of this process that a request comes from its pages. */
  pagesToken: string;
}

/** Builds the options of the pages of an instance. */
export function pageOptions(sources: PageSources): PageOptions {
  const { config, backend, projectName, product, log, pagesToken, ownFetch } = sources;
  const { app } = config;
  const api = app.hosted ?? {
    url: config.localUrl,
    anonKey: backend?.keys.apiKeys.anon ?? '',
    serviceRoleKey: backend?.keys.apiKeys.serviceRole,
  };
  return {
    apiUrl: api.url,
    ...(ownFetch && { fetch: ownFetch }),
    publicApiUrl: app.hosted?.url,
    anonKey: api.anonKey,
    // A secret of this process; a hosted backend has no use for it and must not receive it.
    visitorHeaders: backend ? { [PAGES_TOKEN_HEADER]: pagesToken } : {},
    serviceRoleKey: api.serviceRoleKey,
    hasOperator: backend !== undefined,
    hasMeta: backend !== undefined && config.enabledServices.meta,
    publicUrl: config.publicUrl,
    location: { baseURL: app.baseURL, cdnURL: app.cdnURL, buildAssetsDir: app.buildAssetsDir },
    buildCheckSeconds: app.buildCheckSeconds,
    redirects: app.redirects,
    providers: offeredProviders(app.clientIds),
    knownProviders,
    captcha: app.captcha,
    firstAdmin: backend && firstAdminLinks({ admin: backend.admin, ownerUrl: backend.ownDatabaseUrl }),
    deletedAccounts: backend && deletedAccounts(backend.admin),
    home: {
      projectName,
      publishableKey: backend?.keys.apiKeys.publishable ?? api.anonKey,
      services: enabledServices(config).map(({ name }) => name),
    },
    product,
    guard: {
      enabled: true,
      login: '/login',
      callback: '/confirm',
      include: app.guardInclude,
      exclude: app.guardExclude,
      saveRedirect: app.saveRedirect,
    },
    cookiePrefix: app.cookiePrefix,
    log,
  };
}
