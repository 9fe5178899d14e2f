/**
 * The error page: one view for pages that do not exist, one for all other errors. Each is loaded when it is
 * needed.
 */
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { isChunkError } from '../../lib/modules/chunk-errors.ts';
import { reloadOnce } from '../../lib/modules/reload-guard.ts';
import { Optional } from '../../lib/optional.tsx';
import { withBase } from '../../lib/page/base-path.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import { commonTexts } from '../../texts/common.ts';
import { errorTitles } from '../../texts/error-titles.ts';
import { useLanguage, useSiteName, useTexts } from '../../texts/use-texts.ts';
import { describeError, type ErrorDescription, errorDocumentTitle, requestIdOf } from './describe-error.ts';

/** Component type of both views. */
type ErrorView = ComponentType<ErrorDescription>;

const NotFoundPage = lazy<ErrorView>(() => import('./not-found-page.tsx'));
const ServerErrorPage = lazy<ErrorView>(() => import('./server-error-page.tsx'));

/**
 * Shows the page for an error. If a build file could not be loaded, the page is reloaded once before the
 * error is shown.
 */
export function ErrorPage({ error }: { error: unknown }) {
  const description = useDescription(error);
  const isReloading = useReload(error);
  const documentTitle = errorDocumentTitle(description, { language: useLanguage(), site: useSiteName() });
  if (isReloading) return null;
  const View = description.status === 404 ? NotFoundPage : ServerErrorPage;
  return (
    <>
      <title>{documentTitle}</title>
      <Optional fallback={<FallbackErrorPage {...description} />}>
        <Suspense>
          <View {...description} />
        </Suspense>
      </Optional>
    </>
  );
}

/** Fallback if the error page itself cannot be loaded, most likely because the user is offline. */
function FallbackErrorPage({ status, title }: ErrorDescription) {
  const { tryAgain } = useTexts(commonTexts);
  const language = useLanguage();
  const { pathname, search } = useLocation();
  const { baseURL } = usePage().config;
  return (
    <section
      role="alert"
      className="m-auto grid max-w-form justify-items-center gap-4 px-5 py-12 text-center"
    >
      <h1 className="text-title font-semibold">
        {status} {errorTitles[language][title]}
      </h1>
      <a href={withBase(pathname + search, baseURL)} className="text-body font-medium underline">
        {tryAgain}
      </a>
    </section>
  );
}

function useDescription(error: unknown): ErrorDescription {
  const { pathname, search, key } = useLocation();
  const { isProduction, requestId, locationKey } = usePage();
  return describeError(error, {
    fullPath: pathname + search,
    isProduction,
    // The error of a later navigation belongs to another request and carries that request's id.
    requestId: requestIdOf(error) ?? (key === locationKey ? requestId : undefined),
  });
}

/** Returns whether the page is about to be reloaded; nothing is rendered until that is decided. */
function useReload(error: unknown): boolean {
  const { pathname, search } = useLocation();
  const { baseURL } = usePage().config;
  const [isReloading, setIsReloading] = useState(() => isChunkError(error));
  useEffect(() => {
    if (isChunkError(error)) setIsReloading(reloadOnce(window, withBase(pathname + search, baseURL)));
  }, [error, pathname, search, baseURL]);
  return isReloading;
}
