/** What a visitor is told about an error: its status, a title and one sentence. */
import { isRouteErrorResponse } from 'react-router';

/** Where an error happened. */
export interface ErrorScene {
  /** Path with query of the page. */
  fullPath: string;
  /** Under which the log has more; undefined where the error happened in the browser. */
  requestId: string | undefined;
  /** In production the text of an unexpected error stays in the log. */
  isProduction: boolean;
}

/** An error in words. */
export interface ErrorDescription {
  status: number;
  title: 'Page Not Found' | 'Internal Server Error';
  message: string;
}

/** Describes whatever was thrown. Messages of errors that pages raise on purpose are kept word for word. */
export function describeError(error: unknown, scene: ErrorScene): ErrorDescription {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const title = status === 404 ? 'Page Not Found' : 'Internal Server Error';
  return { status, title, message: intendedMessage(error) ?? messageFor(status, error, scene) };
}

/** The document's title while an error is shown. */
export function errorDocumentTitle({ status, title }: ErrorDescription): string {
  return `${status} - ${title} | Greenroom`;
}

function intendedMessage(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const { data } = error as { data: unknown };
  const hasMessage = typeof data === 'object' && data !== null && 'message' in data;
  return hasMessage && typeof data.message === 'string' ? data.message : undefined;
}

function messageFor(status: number, error: unknown, scene: ErrorScene): string {
  if (status === 404) return `Page not found: ${scene.fullPath}`;
  if (status === 405) return 'This page does not take that kind of request.';
  if (status === 400) return 'The request could not be understood.';
  if (!scene.isProduction && error instanceof Error) return error.message;
  const sentence = 'Something went wrong on our side.';
  return scene.requestId === undefined ? sentence : `${sentence} Request id: ${scene.requestId}`;
}
