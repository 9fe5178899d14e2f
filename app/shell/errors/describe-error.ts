/** What a visitor is told about an error: its status, a heading and a reason. Which words those have is in the texts. */
import { isRouteErrorResponse } from 'react-router';
import type { Language } from '../../lib/language.ts';
import type { ErrorReason } from '../../session/error-words.ts';
import { type ErrorTitle, errorTitles } from '../../texts/error-titles.ts';
import { SITE_NAME } from '../../ui/site-name.ts';

/** Where an error happened. */
interface ErrorScene {
  /** Path with query of the page. */
  fullPath: string;
  /** Under which the log has more; undefined where the error happened in the browser. */
  requestId: string | undefined;
  /** In production the text of an unexpected error stays in the log. */
  isProduction: boolean;
}

/** An error, described. */
export interface ErrorDescription {
  status: number;
  title: ErrorTitle;
  reason: ErrorReason;
}

/** Describes whatever was thrown. Reasons of errors that pages raise on purpose are kept as they are. */
export function describeError(error: unknown, scene: ErrorScene): ErrorDescription {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const title = status === 404 ? 'Page Not Found' : 'Internal Server Error';
  return { status, title, reason: intendedReason(error) ?? reasonFor(status, error, scene) };
}

/** The id that an error of a later request brought along. */
export function requestIdOf(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const { data } = error as { data: unknown };
  const isNamed = typeof data === 'object' && data !== null && 'requestId' in data;
  return isNamed && typeof data.requestId === 'string' ? data.requestId : undefined;
}

/** The document's title while an error is shown. */
export function errorDocumentTitle({ status, title }: ErrorDescription, language: Language): string {
  return `${status} - ${errorTitles[language][title]} | ${SITE_NAME}`;
}

function intendedReason(error: unknown): ErrorReason | undefined {
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

function reasonFor(status: number, error: unknown, scene: ErrorScene): ErrorReason {
  if (status === 404) return { code: 'pageNotFound', value: scene.fullPath };
  if (status === 405) return { code: 'wrongMethod' };
  if (status === 400) return { code: 'notUnderstood' };
  if (!scene.isProduction && error instanceof Error) return { message: error.message };
  if (scene.requestId === undefined) return { code: 'unexpected' };
  return { code: 'unexpectedWithId', value: scene.requestId };
}
