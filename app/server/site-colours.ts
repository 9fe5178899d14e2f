/** The stylesheet with the colours of a product. It overrides the tokens in `app.css`. */
import { createHash } from 'node:crypto';
import { type ProductConfig, SHADES, type Shades } from '@greenroom/product';
import { readPalettes } from './palettes.ts';

/** A stylesheet that the site serves itself. */
export interface SiteStylesheet {
  /** Name below the base path. It changes with the text. */
  name: string;
  text: string;
}

/** Light and dark value of each token that depends on the primary colour. `app.css` has fixed values for green. */
const PRIMARY_TOKENS = {
  '--primary-ink': ['700', '400'],
  '--primary-line': ['200', '800'],
  '--primary-wash': ['50', '950'],
  '--solid': ['700', '400'],
  '--solid-hover': ['800', '300'],
  '--on-solid': ['white', '950'],
} as const;

/** The same for the neutral colour. */
const NEUTRAL_TOKENS = {
  '--canvas': ['50', '950'],
  '--sunken': ['100', '950'],
  '--surface': ['white', '900'],
  '--raised': ['white', '800'],
  '--surface-hover': ['100', '800'],
  '--line': ['200', '800'],
  '--line-strong': ['300', '700'],
  '--ink': ['900', '100'],
  '--ink-muted': ['600', '400'],
  '--ink-faint': ['500', '400'],
} as const;

type Tokens = Readonly<Record<string, readonly [light: string, dark: string]>>;

/** Returns the stylesheet; undefined if the product has no colours. */
export async function siteColours(config: ProductConfig | undefined): Promise<SiteStylesheet | undefined> {
  const { primary, neutral } = config?.colours ?? {};
  if (primary === undefined && neutral === undefined) return undefined;
  const palettes = await readPalettes();
  const shadesOf = (palette: string | Shades) => (typeof palette === 'string' ? palettes[palette] : palette);
  const declarations = [
    ...declarationsOf('primary', primary && shadesOf(primary), PRIMARY_TOKENS),
    ...declarationsOf('neutral', neutral && shadesOf(neutral), NEUTRAL_TOKENS),
  ];
  const text = `:root {\n${declarations.map((line) => `  ${line};\n`).join('')}}\n`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { name: `greenroom-colours-${hash}.css`, text };
}

function declarationsOf(role: string, shades: Shades | undefined, tokens: Tokens): string[] {
  if (shades === undefined) return [];
  const value = (shade: string) => (shade === 'white' ? '#fff' : `var(--ui-color-${role}-${shade})`);
  return [
    ...SHADES.map((shade) => `--ui-color-${role}-${shade}: ${shades[shade]}`),
    ...Object.entries(tokens).map(
      ([token, [light, dark]]) => `${token}: light-dark(${value(light)}, ${value(dark)})`,
    ),
  ];
}
