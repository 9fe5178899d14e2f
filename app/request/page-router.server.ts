/** Puts the router together: one build, one site, and a context for each request. */
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { CreatePageRouter } from '../server/page-build.ts';
import type { PageOptions } from '../server/page-options.ts';
import { defaultCookiePrefix } from '../session/auth-cookies.ts';
import { createBackend } from '../session/backend.server.ts';
import { type Site, siteContext, visitContext } from './contexts.server.ts';
import { type PageConfig, writePageConfig } from './page-config.ts';

/** See `server/page-build.ts`. */
export const createPageRouter: CreatePageRouter = (build, options, mode) => {
  const site = createSite(options, mode, typeof build === 'function' ? 'dev' : build.assets.version);
  const ownBuild =
    typeof build === 'function' ? async () => trustActions(await build()) : trustActions(build);
  const handle = createRequestHandler(ownBuild, mode);
  return (request, visit) => {
    const context = new RouterContextProvider();
    context.set(siteContext, site);
    context.set(visitContext, visit);
    return handle(request, context);
  };
};

/** Actions that reach the router have passed `server/origin-check.ts`, which knows the site's public origin. */
function trustActions(build: ServerBuild): ServerBuild {
  return { ...build, allowedActionOrigins: ['**'] };
}

function createSite(options: PageOptions, mode: Site['mode'], buildId: string): Site {
  const cookiePrefix = options.cookiePrefix ?? defaultCookiePrefix(options.publicApiUrl ?? options.apiUrl);
  const config = pageConfig(options, cookiePrefix, buildId);
  const withSecure = (secure: boolean) =>
    writePageConfig({ ...config, cookieOptions: { ...config.cookieOptions, secure } });
  return {
    options,
    cookiePrefix,
    pageConfigs: { http: withSecure(false), https: withSecure(true) },
    backend: createBackend(options, cookiePrefix),
    mode,
  };
}

function pageConfig(options: PageOptions, cookiePrefix: string, buildId: string): PageConfig {
  const { login, callback, include, exclude, saveRedirect } = options.guard;
  return {
    baseURL: '/',
    cdnURL: '',
    buildAssetsDir: '/assets/',
    buildId,
    apiUrl: options.publicApiUrl ?? null,
    anonKey: options.anonKey,
    cookiePrefix,
    cookieOptions: { path: '/', sameSite: 'lax', secure: false },
    redirectOptions: { login, callback, include: include ?? [], exclude, saveRedirectToCookie: saveRedirect },
    hasGoogle: options.googleClientId !== undefined,
  };
}
