/** The public URL of an instance, and a common misconfiguration behind a reverse proxy: it is not set. */
import { type InstanceConfig, isPublicUrl } from '@greenroom/config';

/**
 * Warns if a proxy is trusted, so that visitors come from other machines, while the public URL is a loopback URL: links
 * in mails, passkeys and limits would be those of this machine.
 */
export function warnOfLoopbackUrl(
  config: Pick<InstanceConfig, 'appUrl' | 'trustedProxies'>,
  warn: (details: { publicUrl: string }, text: string) => void,
): void {
  const { appUrl: publicUrl } = config;
  if (config.trustedProxies.length === 0 || isPublicUrl(publicUrl)) return;
  warn(
    { publicUrl },
    'a trusted proxy is configured, but the public URL is a loopback URL; set GREENROOM_PUBLIC_URL',
  );
}

/** Returns the URL of an instance that may be opened on other machines; undefined if all its URLs are loopback URLs. */
export function publicUrlOf({ appUrl, externalUrl }: Pick<InstanceConfig, 'appUrl' | 'externalUrl'>) {
  return [appUrl, externalUrl].find(isPublicUrl);
}
