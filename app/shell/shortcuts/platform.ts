/** Whose keyboard it is: Apple's have a command key where others have Ctrl. */
import { useSyncExternalStore } from 'react';

interface NavigatorWithHints extends Navigator {
  userAgentData?: { platform: string };
}

/** Judges a browser's own description of where it runs. */
export function isApplePlatform(platform: string): boolean {
  return /^(mac|ip(hone|ad|od))/i.test(platform);
}

/** This device. */
export function isAppleDevice(): boolean {
  const { userAgentData, platform }: NavigatorWithHints = navigator;
  return isApplePlatform(userAgentData?.platform ?? platform);
}

const subscribe = () => () => {};

/** This device for components; undefined on the server and while the page comes alive, where it is not known. */
export function useIsApple(): boolean | undefined {
  return useSyncExternalStore<boolean | undefined>(subscribe, isAppleDevice, () => undefined);
}
