/**
 * The seam between the node side, which runs as it is, and the bundle, which holds React and the router. They share
 * no instance of any package: whatever the node side needs of the router, it gets through the bundle.
 */
import type { Writable } from 'node:stream';
import type { EntryContext, RouterContextProvider, ServerBuild } from 'react-router';
import type { PageOptions } from '../lib/page/page-options.ts';
import type { ErrorCode } from '../texts/errors.ts';

/** A request that is answered with an error page before any route is asked. */
export interface Refusal {
  status: number;
  /** What is wrong with it. */
  code: ErrorCode;
  /** What the code's sentence names, if it names something. */
  value?: string | undefined;
}

/** What is known about one request beside the request itself, and where its page waits to be written. */
export interface Visit {
  readonly requestId: string;
  /** The only scripts and styles that run inline are those which carry it. */
  readonly nonce: string;
  readonly isHttps: boolean;
  /** Only the page's data is wanted, as JSON. */
  readonly isPayload: boolean;
  /** Public origin of the app, for addresses in mails and at other providers. */
  readonly origin: string;
  /** Address of the visitor. */
  readonly clientAddress: string;
  readonly refusal: Refusal | undefined;
  /** Another site from which the page shows a picture; `https://HOST`, with a plain host. */
  pictureOrigin: string | undefined;
  /** Set when a page was rendered: writes it. Otherwise the answer has its body itself, or none. */
  writePage: ((destination: Writable) => void) | undefined;
  /** Whether rendering failed before: the second time, it was the error page that failed. */
  hasRenderFailed: boolean;
}

/** Answers one request. Never rejects for reasons that a visitor can cause. */
export type PageRouter = (request: Request, visit: Visit) => Promise<Response>;

/** The module that the bundler makes. */
export interface PageBuild extends ServerBuild {
  entry: { module: ServerBuild['entry']['module'] & PageEntry };
}

/** What the bundle's entry offers beside what the router asks of it; the elements are React's, whatever it made them of. */
export interface PageEntry {
  createPageRouter: CreatePageRouter;
  describePage(context: Readonly<RouterContextProvider>): unknown;
  pageElement(page: unknown, routerContext: EntryContext, url: string): unknown;
  renderToPipeableStream(element: unknown, options: RenderOptions): { pipe(destination: Writable): unknown };
}

/** React's options, as far as they are used from outside of the bundle. */
interface RenderOptions {
  onShellReady(): void;
  onShellError(error: unknown): void;
}

/** Puts the pages of a build together with the settings of a server. */
export type CreatePageRouter = (
  build: ServerBuild | (() => Promise<ServerBuild>),
  settings: PageRouterSettings,
) => PageRouter;

/** What a router is made for. */
export interface PageRouterSettings {
  options: PageOptions;
  mode: 'production' | 'development';
  /** Changes with every build that differs; `dev` in development. */
  buildId: string;
  /** An icon as SVG symbol, by its full name; undefined for one that is not known (yet). */
  symbolOf(fullName: string): string | undefined;
}
