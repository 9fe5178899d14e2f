/** Shows data that may still be on its way, with something in its place until then. */
import { type ReactNode, Suspense } from 'react';
import { Await } from 'react-router';
import type { Later } from './later.ts';

/** See the head of this file. */
export function Resolved<T>(props: {
  data: Later<T>;
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
