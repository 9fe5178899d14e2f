/** Whether this browser supports passkeys and security keys on this site. */
import { useIsHydrated } from '../../lib/use-is-hydrated.ts';
import { isHostName } from './host-name.ts';

/** Undefined until hydration, when it is not known. */
export function useWebauthn(): boolean | undefined {
  const isHydrated = useIsHydrated();
  return isHydrated ? isSupported() : undefined;
}

function isSupported(): boolean {
  return 'PublicKeyCredential' in window && window.isSecureContext && isHostName(location.hostname);
}
