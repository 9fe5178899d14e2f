/** Renders data that may still be pending. */
import { type ReactNode, Suspense } from 'react';
import { Await } from 'react-router';
import type { MaybePromise } from './maybe-promise.ts';

/** Renders `data` with `children`, and `fallback` while the data is pending. */
export function Resolved<T>(props: {
  data: MaybePromise<T>;
  fallback: ReactNode;
  children: (value: T) => ReactNode;
}) {
  const { data, fallback, children } = props;
  if (!(data instanceof Promise)) return children(data);
  return (
    <Suspense fallback={fallback}>
      <Await resolve={data}>{(value) => children(value as T)}</Await>
    </Suspense>
  );
}
