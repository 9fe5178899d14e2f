import Original, { loader as originalLoader } from 'greenroom/app/routes/login';
import type { ComponentProps } from 'react';
import { useLoaderData } from 'react-router';

export { action, handle, meta } from 'greenroom/app/routes/login';

export async function loader(args: Parameters<typeof originalLoader>[0]) {
  const loaded = await originalLoader(args);
  return loaded instanceof Response ? loaded : { ...loaded, opensAt: '9:00' };
}

export default function Login(props: ComponentProps<typeof Original>) {
  const { opensAt } = useLoaderData<typeof loader>();
  return (
    <>
      <p>Der Laden öffnet um {opensAt}.</p>
      <Original {...props} />
    </>
  );
}
