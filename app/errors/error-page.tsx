/** The page for an error: one look for pages that are not there, one for everything else, each loaded when needed. */
import { type ComponentType, lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { usePage } from '../request/page-context.tsx';
import { describeError, type ErrorDescription } from './describe-error.ts';

/** Both looks take the same. */
export type ErrorLook = ComponentType<ErrorDescription>;

const NotFoundPage = lazy<ErrorLook>(() => import('./not-found-page.tsx'));
const ServerErrorPage = lazy<ErrorLook>(() => import('./server-error-page.tsx'));

/** See the head of this file. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search, key } = useLocation();
  const { isProduction, requestId, locationKey } = usePage();
  const scene = { fullPath: pathname + search, isProduction };
  // Where a later navigation failed, it was another request, whose id is not known here.
  const description = describeError(error, {
    ...scene,
    requestId: key === locationKey ? requestId : undefined,
  });
  const Look = description.status === 404 ? NotFoundPage : ServerErrorPage;
  return (
    <Suspense>
      <Look {...description} />
    </Suspense>
  );
}
