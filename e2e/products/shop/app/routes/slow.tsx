import type { PageProps } from 'greenroom/app';
import { Suspense } from 'react';
import { Await } from 'react-router';

export const guard = 'public';

const DELAY_MS = 50;

export function loader() {
  return { later: new Promise<string>((resolve) => setTimeout(() => resolve('später'), DELAY_MS)) };
}

export default function Slow({ loaderData }: PageProps<typeof loader>) {
  return (
    <Suspense fallback={<p>gleich</p>}>
      <Await resolve={loaderData.later}>{(text) => <p>{text}</p>}</Await>
    </Suspense>
  );
}
