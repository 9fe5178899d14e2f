import type { ActionArgs } from 'greenroom/app';

export const guard = 'public';

export function loader() {
  return Response.json({ ok: true });
}

export async function action({ request }: ActionArgs) {
  const signature = request.headers.get('x-signature');
  return Response.json({ method: request.method, signature, body: await request.text() }, { status: 201 });
}
