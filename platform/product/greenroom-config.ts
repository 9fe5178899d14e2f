/** The values of `greenroom.config.ts`, as an author writes them. Loads nothing, because products import it. */

/** Values that `greenroom.config.ts` may have. All keys are optional; an unknown key stops the start. */
export interface GreenroomConfig {
  /**
   * Name of the product in titles, next to the logo, in the web app manifest and on error pages: 1 to 60 characters.
   * @default 'Greenroom'
   */
  name?: string | undefined;
  /**
   * Name of a picture in `app/public`, shown next to the name: SVG, PNG, WebP, AVIF or JPEG.
   * @default the door of Greenroom
   * @example 'logo.svg'
   */
  logo?: string | undefined;
  /** Colours of all pages, in light and dark mode. */
  colours?: ColourConfig | undefined;
  /**
   * Languages of the pages; the first is the fallback. With one language, pages show no language switch.
   * @default ['en', 'de']
   */
  languages?: PageLanguage[] | undefined;
  /**
   * Links in the sidebar, the header of visitors, the command palette and the keyboard, in this order. Paths and keys must be
   * different.
   * @default []
   */
  navigation?: NavigationConfig[] | undefined;
  /** Built-in pages; `false` removes a page, its data and the links to it. */
  pages?: PageConfig | undefined;
  /** Additional sources of the content security policy. */
  csp?: PolicyConfig | undefined;
  /**
   * Targets of redirects by paths of the app, in which `*` stands for any characters. A target is a path that begins with one
   * slash, or an http(s) URL. The setting `GREENROOM_REDIRECTS` has the same meaning; values in both stop the start.
   * @default {}
   * @example { '/old': '/new', '/docs*': 'https://docs.example.org' }
   */
  redirects?: Record<string, string> | undefined;
  /** Formats of dates and times on pages. */
  formats?: FormatConfig | undefined;
}

/** Languages that built-in pages have. */
type PageLanguage = 'en' | 'de';

interface ColourConfig {
  /**
   * Colour of buttons, links and marks.
   * @default 'green'
   */
  primary?: Palette | undefined;
  /**
   * Colour of texts, lines and backgrounds.
   * @default 'slate'
   */
  neutral?: Palette | undefined;
}

/** A palette of Tailwind CSS by its name, or its shades. */
type Palette = PaletteName | ShadeConfig;

type PaletteName =
  | 'red'
  | 'orange'
  | 'amber'
  | 'yellow'
  | 'lime'
  | 'green'
  | 'emerald'
  | 'teal'
  | 'cyan'
  | 'sky'
  | 'blue'
  | 'indigo'
  | 'violet'
  | 'purple'
  | 'fuchsia'
  | 'pink'
  | 'rose'
  | 'slate'
  | 'gray'
  | 'zinc'
  | 'neutral'
  | 'stone';

/** Colours from light to dark, as `#rgb`, `#rrggbb`, `oklch()`, `oklab()`, `lch()`, `lab()`, `hsl()` or `rgb()`. */
interface ShadeConfig {
  50: string;
  100: string;
  200: string;
  300: string;
  400: string;
  500: string;
  600: string;
  700: string;
  800: string;
  900: string;
  950: string;
}

interface NavigationConfig {
  /**
   * Path of the page; it begins with one slash. An entry for `/` takes the place of the built-in link to the home page.
   * @example '/todos'
   */
  path: string;
  /**
   * A text, or one for each language of the product.
   * @example { en: 'Todos', de: 'Aufgaben' }
   */
  label: string | Partial<Record<PageLanguage, string>>;
  /**
   * Name of an icon of Lucide (https://lucide.dev/icons), with or without `lucide:`.
   * @example 'list-todo'
   */
  icon: string;
  /**
   * Keyboard shortcut: one key, or two after each other. Shortcuts of built-in pages, such as `g h`, are not allowed.
   * @default none
   * @example 'g t'
   */
  keys?: string | undefined;
  /**
   * Users who see the link. It protects nothing: pages have guards.
   * @default 'signedIn'
   */
  for?: 'everyone' | 'signedIn' | 'signedOut' | 'admins' | undefined;
}

interface PageConfig {
  /**
   * `/account` and the pages below.
   * @default true
   */
  account?: boolean | undefined;
  /**
   * `/admin` and the pages below.
   * @default true
   */
  admin?: boolean | undefined;
  /**
   * `/oauth/consent`, on which users allow other applications access to their accounts.
   * @default true
   */
  consent?: boolean | undefined;
}

/** Each source is an origin with https or wss, and a path if needed, e.g. `https://js.stripe.com`. */
interface PolicyConfig {
  /**
   * `script-src`
   * @default []
   */
  scripts?: string[] | undefined;
  /**
   * `style-src`
   * @default []
   */
  styles?: string[] | undefined;
  /**
   * `img-src`
   * @default []
   */
  images?: string[] | undefined;
  /**
   * `font-src`
   * @default []
   */
  fonts?: string[] | undefined;
  /**
   * `connect-src`, for requests and sockets of scripts
   * @default []
   */
  connect?: string[] | undefined;
  /**
   * `frame-src`
   * @default []
   */
  frames?: string[] | undefined;
}

interface FormatConfig {
  /**
   * Locales (BCP 47) of dates and times by the language of the page.
   * @default those of the visitor, in the language of the page
   * @example { en: 'en-GB' }
   */
  locales?: Partial<Record<PageLanguage, string>> | undefined;
  /**
   * Time zone (IANA) of dates and times.
   * @default that of the visitor
   * @example 'Europe/Berlin'
   */
  timeZone?: string | undefined;
}
