/** Creates the request handler: one build, one site, and a context for each request. */
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { type PageConfig, writePageConfig } from '../../lib/page/page-config.ts';
import type { PageOptions } from '../../lib/page/page-options.ts';
import { siteOf } from '../../lib/page/site.ts';
import { payloadPath } from '../../lib/payload/payload-path.ts';
import { defaultCookiePrefix } from '../../session/auth-cookies.ts';
import { createBackend } from '../../session/backend.server.ts';
import type { CreatePageRouter, PageRouterSettings } from '../../session/page-build.ts';
import {
  requestContext,
  routeFactsContext,
  type Site,
  siteContext,
  visitContext,
} from './contexts.server.ts';
import { routeFactsOf } from './route-facts.server.ts';
import { createSharedPages } from './shared-pages.server.ts';

/** Implements {@link CreatePageRouter}. */
export const createPageRouter: CreatePageRouter = (build, settings) => {
  const site = createSite(settings);
  const ownBuild =
    typeof build === 'function' ? async () => trustActions(await build()) : trustActions(build);
  const handle = createRequestHandler(ownBuild, settings.mode);
  const known = typeof build === 'function' ? undefined : routeFactsOf(build);
  return async (request, visit) => {
    const context = new RouterContextProvider();
    context.set(routeFactsContext, known ?? routeFactsOf(await loaded(build)));
    context.set(siteContext, site);
    context.set(requestContext, request);
    context.set(visitContext, visit);
    const response = await handle(request, context);
    return visit.isPayload ? redirectToPayload(response, settings) : response;
  };
};

function loaded(build: ServerBuild | (() => Promise<ServerBuild>)): ServerBuild | Promise<ServerBuild> {
  return typeof build === 'function' ? build() : build;
}

/**
 * `server/origin-check.ts`, which knows the site's public origin, has checked all actions that reach the
 * router.
 */
function trustActions(build: ServerBuild): ServerBuild {
  return { ...build, allowedActionOrigins: ['**'] };
}

/** Redirects a request for a payload to the payload of the target page, instead of the page itself. */
function redirectToPayload(response: Response, { options, buildId }: PageRouterSettings): Response {
  const location = response.headers.get('location');
  if (location?.startsWith('/')) {
    response.headers.set('location', payloadPath(location, { baseURL: options.location.baseURL, buildId }));
  }
  return response;
}

function createSite({ options, mode, buildId, symbolOf, stylesheet }: PageRouterSettings): Site {
  const cookiePrefix = options.cookiePrefix ?? defaultCookiePrefix(options.publicApiUrl ?? options.apiUrl);
  const config = pageConfig(options, { cookiePrefix, buildId, stylesheet });
  const withSecure = (secure: boolean) =>
    writePageConfig({ ...config, cookieOptions: { ...config.cookieOptions, secure } });
  return {
    options,
    cookiePrefix,
    pageConfigs: { http: withSecure(false), https: withSecure(true) },
    backend: createBackend(options, cookiePrefix),
    mode,
    sharedPages: createSharedPages(),
    symbolOf,
  };
}

/** Values of {@link pageConfig} that are no options of the server. */
interface BuildValues extends Pick<PageConfig, 'cookiePrefix' | 'buildId'> {
  stylesheet: string | undefined;
}

function pageConfig(options: PageOptions, { cookiePrefix, buildId, stylesheet }: BuildValues): PageConfig {
  const { login, callback, include, exclude, saveRedirect } = options.guard;
  const site = siteOf(options.product?.config, stylesheet);
  return {
    ...options.location,
    buildId,
    buildCheckSeconds: options.buildCheckSeconds,
    apiUrl: options.publicApiUrl ?? null,
    anonKey: options.anonKey,
    cookiePrefix,
    cookieOptions: { path: '/', sameSite: 'lax', secure: false },
    redirectOptions: { login, callback, include: include ?? [], exclude, saveRedirectToCookie: saveRedirect },
    providers: options.providers,
    captcha: options.captcha ?? null,
    ...(site && { site }),
  };
}
