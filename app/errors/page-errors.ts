/** Errors that pages raise on purpose. Each carries the message that a visitor reads. */
import { data } from 'react-router';

/** No page has this path (with query). The page around the visitor stays usable: the error is not fatal. */
export function pageNotFound(fullPath: string) {
  const message = `Page not found: ${fullPath}`;
  return data({ message, path: fullPath, fatal: false }, { status: 404, statusText: 'Not Found' });
}

/** A page has this path, but cannot show what the rest of the address asks for. */
export function invalidRoute(fullPath: string) {
  const message = `Page Not Found: ${fullPath}`;
  return data({ message, path: fullPath, fatal: false }, { status: 404, statusText: 'Not Found' });
}
