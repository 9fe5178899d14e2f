/** Head elements that are the same on every page: icons, the manifest, theme colours, the share image. */
import { usePage } from '../lib/page/page-context.tsx';
import { useSiteName } from '../texts/use-texts.ts';
import { publicFile } from './public-file.ts';

/** The background colour of each mode, for the browser's own interface. */
const THEME_COLOURS = { light: '#fafbfc', dark: '#0b0f17' } as const;
const SHARE_PICTURE = { name: 'share.png', width: '1200', height: '630' } as const;

/** Place it once, in the head. */
export function SiteHead() {
  const { config, origin } = usePage();
  const name = useSiteName();
  const { site } = config;
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={THEME_COLOURS.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={THEME_COLOURS.dark} />
      <link rel="icon" href={publicFile(config, 'favicon.svg')} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={publicFile(config, 'apple-touch-icon.png')} />
      <link rel="manifest" href={publicFile(config, 'manifest.webmanifest')} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={name} />
      <meta property="og:image" content={origin + publicFile(config, SHARE_PICTURE.name)} />
      <meta property="og:image:width" content={SHARE_PICTURE.width} />
      <meta property="og:image:height" content={SHARE_PICTURE.height} />
      <meta property="og:image:alt" content={name} />
      <meta name="twitter:card" content="summary_large_image" />
      {site?.stylesheet && <link rel="stylesheet" href={publicFile(config, site.stylesheet)} />}
    </>
  );
}
