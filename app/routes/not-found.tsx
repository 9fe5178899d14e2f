/** Every path without a page. */
import { pageNotFound } from '../errors/page-errors.ts';
import { documentPath } from '../request/document-path.ts';
import type { Route } from './+types/not-found';

export function loader({ request }: Route.LoaderArgs) {
  throw pageNotFound(documentPath(request.url));
}

export function action({ request }: Route.ActionArgs) {
  throw pageNotFound(documentPath(request.url));
}

export default function NotFound() {
  return null;
}
