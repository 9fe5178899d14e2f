/** The platform of the keyboard: Apple's keyboards use the command key for shortcuts, others use Ctrl. */
import { useSyncExternalStore } from 'react';

interface NavigatorWithHints extends Navigator {
  userAgentData?: { platform: string };
}

/** Returns whether a browser's platform text means a device of Apple. */
export function isApplePlatform(platform: string): boolean {
  return /^(mac|ip(hone|ad|od))/i.test(platform);
}

/** Returns whether this is a device of Apple. */
export function isAppleDevice(): boolean {
  const { userAgentData, platform }: NavigatorWithHints = navigator;
  return isApplePlatform(userAgentData?.platform ?? platform);
}

const subscribe = () => () => {};

/** The same for components; undefined on the server and during hydration, when the platform is not known. */
export function useIsApple(): boolean | undefined {
  return useSyncExternalStore<boolean | undefined>(subscribe, isAppleDevice, () => undefined);
}
