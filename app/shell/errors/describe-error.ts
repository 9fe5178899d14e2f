/** Describes an error for users: its status, a heading and a reason. The texts translate them. */
import { isRouteErrorResponse } from 'react-router';
import type { Language } from '../../lib/language.ts';
import type { ErrorReason } from '../../session/error-message.ts';
import { type ErrorTitle, errorTitles } from '../../texts/error-titles.ts';

/** The request or page in which an error happened. */
interface ErrorContext {
  /** Path with query of the page. */
  fullPath: string;
  /** Id of the request in the log; undefined if the error happened in the browser. */
  requestId: string | undefined;
  /** In production, the message of an unexpected error is only logged. */
  isProduction: boolean;
}

/** A described error. */
export interface ErrorDescription {
  status: number;
  title: ErrorTitle;
  reason: ErrorReason;
}

/** Describes any thrown value. Reasons of errors that pages raise on purpose are kept. */
export function describeError(error: unknown, context: ErrorContext): ErrorDescription {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const title = status === 404 ? 'Page Not Found' : 'Internal Server Error';
  return { status, title, reason: thrownReason(error) ?? reasonFor(status, error, context) };
}

/** Returns the request id in the error of a later navigation. */
export function requestIdOf(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const { data } = error as { data: unknown };
  const isNamed = typeof data === 'object' && data !== null && 'requestId' in data;
  return isNamed && typeof data.requestId === 'string' ? data.requestId : undefined;
}

/** Returns the document's title while an error is shown. */
export function errorDocumentTitle(
  { status, title }: ErrorDescription,
  { language, site }: { language: Language; site: string },
): string {
  return `${status} - ${errorTitles[language][title]} | ${site}`;
}

function thrownReason(error: unknown): ErrorReason | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const { data } = error as { data: unknown };
  const isReason = typeof data === 'object' && data !== null && 'message' in data;
  if (!isReason || typeof data.message !== 'string') return undefined;
  const { code, value } = data as { code?: unknown; value?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof value === 'string' && { value }),
    message: data.message,
  };
}

function reasonFor(status: number, error: unknown, context: ErrorContext): ErrorReason {
  if (status === 404) return { code: 'pageNotFound', value: context.fullPath };
  if (status === 405) return { code: 'unsupportedRequest' };
  if (status === 400) return { code: 'badRequest' };
  if (!context.isProduction && error instanceof Error) return { message: error.message };
  if (context.requestId === undefined) return { code: 'unexpected' };
  return { code: 'unexpectedWithId', value: context.requestId };
}
