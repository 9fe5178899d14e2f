/** Whether this browser can use passkeys and security keys on this site. */
import { useIsAlive } from '../../lib/use-is-alive.ts';
import { isHostName } from './host-name.ts';

/** Undefined until the page is alive: only then it is known. */
export function useWebauthn(): boolean | undefined {
  const isAlive = useIsAlive();
  return isAlive ? isSupported() : undefined;
}

function isSupported(): boolean {
  return 'PublicKeyCredential' in window && window.isSecureContext && isHostName(location.hostname);
}
