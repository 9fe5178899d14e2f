/** Whether this browser supports passkeys and security keys on this site. */
import { useIsAlive } from '../../lib/use-is-alive.ts';
import { isHostName } from './host-name.ts';

/** Undefined until hydration, when it is not known. */
export function useWebauthn(): boolean | undefined {
  const isAlive = useIsAlive();
  return isAlive ? isSupported() : undefined;
}

function isSupported(): boolean {
  return 'PublicKeyCredential' in window && window.isSecureContext && isHostName(location.hostname);
}
