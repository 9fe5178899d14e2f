/**
 * The interface between the Node.js side, which is not bundled, and the bundle, which contains React and
 * the router. They share no instance of any package, so the Node.js side accesses the router only through
 * the bundle.
 */
import type { Writable } from 'node:stream';
import type { EntryContext, RouterContextProvider, ServerBuild } from 'react-router';
import type { PageOptions } from '../lib/page/page-options.ts';
import type { ServerHooks } from '../lib/server-hooks.ts';
import type { ErrorCode } from '../texts/errors.ts';

/** A request that gets an error page before any route is matched. */
export interface Refusal {
  status: number;
  /** Code of the error. */
  code: ErrorCode;
  /** Inserted into the code's text, if the text has a place for it. */
  value?: string | undefined;
}

/** The HTML of a page, or a function that streams it because a part is still pending. */
export type RenderedPage = string | Uint8Array | ((destination: Writable) => void);

/** Data of one request in addition to the request itself, and the rendered page. */
export interface Visit {
  readonly requestId: string;
  /** Nonce that inline scripts and styles must carry to run. */
  readonly nonce: string;
  readonly isHttps: boolean;
  /** The client wants only the page's data, as JSON. */
  readonly isPayload: boolean;
  /** Public origin of the app, for links in emails and redirects of OAuth providers. */
  readonly origin: string;
  /** Address of the visitor. */
  readonly clientAddress: string;
  readonly refusal: Refusal | undefined;
  /** Another origin from which the page shows an image; `https://HOST`, without a wildcard. */
  pictureOrigin: string | undefined;
  /** The page; set after it was rendered. If undefined, the response itself has the body, or none. */
  page: RenderedPage | undefined;
  /** Rendering has failed once. If it fails again, the error page itself is broken. */
  hasRenderFailed: boolean;
}

/** Handles one request. Never rejects for reasons that a visitor can cause. */
export type PageRouter = (request: Request, visit: Visit) => Promise<Response>;

/** The module that the bundler creates. */
export interface PageBuild extends ServerBuild {
  entry: { module: ServerBuild['entry']['module'] & PageEntry };
}

/**
 * Exports of the bundle's entry that the router does not require. Elements are those of the bundle's React,
 * and opaque outside.
 */
export interface PageEntry {
  createPageRouter: CreatePageRouter;
  /** Returns a function that finds the routes of a product without a page, by their paths. */
  createEndpointMatcher(build: Pick<ServerBuild, 'routes'>, basename: string): (pathname: string) => boolean;
  describePage(context: Readonly<RouterContextProvider>): unknown;
  /** Hooks of the product; none without a product. */
  hooks: ServerHooks;
  pageElement(page: unknown, routerContext: EntryContext, url: string): unknown;
  renderToPipeableStream(element: unknown, options: RenderOptions): { pipe(destination: Writable): unknown };
}

/** The options of React's renderer that are used from outside of the bundle. */
interface RenderOptions {
  onShellReady(): void;
  onShellError(error: unknown): void;
}

/** Combines the pages of a build with the settings of a server. */
export type CreatePageRouter = (
  build: ServerBuild | (() => Promise<ServerBuild>),
  settings: PageRouterSettings,
) => PageRouter;

/** Settings of a page router. */
export interface PageRouterSettings {
  options: PageOptions;
  /** Name of the stylesheet with the product's colours below the base path; undefined for none. */
  stylesheet?: string | undefined;
  mode: 'production' | 'development';
  /** Changes with every build that differs; `dev` in development. */
  buildId: string;
  /** Returns an icon as SVG symbol by its full name; undefined if the icon is unknown or not loaded yet. */
  symbolOf(fullName: string): string | undefined;
}
