/** For everything that failed otherwise: what happened is said, and there is no way out to offer. */
export { ErrorMessage as default } from './error-message.tsx';
