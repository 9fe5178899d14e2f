/** The page for an error: one look for pages that are not there, one for everything else, each loaded when needed. */
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { isChunkError } from '../../lib/modules/chunk-errors.ts';
import { reloadOnce } from '../../lib/modules/reload-guard.ts';
import { Optional } from '../../lib/optional.tsx';
import { withBase } from '../../lib/page/base-path.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import { commonTexts } from '../../texts/common.ts';
import { errorTitles } from '../../texts/error-titles.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { describeError, type ErrorDescription, errorDocumentTitle, requestIdOf } from './describe-error.ts';

/** Both looks take the same. */
type ErrorLook = ComponentType<ErrorDescription>;

const NotFoundPage = lazy<ErrorLook>(() => import('./not-found-page.tsx'));
const ServerErrorPage = lazy<ErrorLook>(() => import('./server-error-page.tsx'));

/** See the head of this file. A file that could not be loaded is tried again by one reload before it is an error. */
export function ErrorPage({ error }: { error: unknown }) {
  const description = useDescription(error);
  const isReloading = useReload(error);
  const documentTitle = errorDocumentTitle(description, useLanguage());
  if (isReloading) return null;
  const Look = description.status === 404 ? NotFoundPage : ServerErrorPage;
  return (
    <>
      <title>{documentTitle}</title>
      <Optional otherwise={<BareLook {...description} />}>
        <Suspense>
          <Look {...description} />
        </Suspense>
      </Optional>
    </>
  );
}

/** For whom not even the error page can be loaded: offline, most likely. */
function BareLook({ status, title }: ErrorDescription) {
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
    // Where a later navigation failed, it was another request, which says its id itself.
    requestId: requestIdOf(error) ?? (key === locationKey ? requestId : undefined),
  });
}

/** Says whether the page is about to be loaded anew; nothing is shown until that is known. */
function useReload(error: unknown): boolean {
  const { pathname, search } = useLocation();
  const { baseURL } = usePage().config;
  const [isReloading, setIsReloading] = useState(() => isChunkError(error));
  useEffect(() => {
    if (isChunkError(error)) setIsReloading(reloadOnce(window, withBase(pathname + search, baseURL)));
  }, [error, pathname, search, baseURL]);
  return isReloading;
}
