/** The palettes of Tailwind CSS. A build contains them, so that a running server does not need the package. */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Shades } from '@greenroom/product';
import { BUILD_FOLDER } from './build-folder.ts';

/** Shades by the names of palettes. */
type Palettes = Readonly<Record<string, Shades>>;

/** File in a build. */
const FILE = 'palettes.json';
const DECLARATION = /--color-([a-z]+)-(\d{2,3}):\s*([^;]+);/g;

/** Writes the palettes into a build. */
export async function writePalettes(build: string): Promise<void> {
  await writeFile(join(build, FILE), JSON.stringify(await readTheme()));
}

/** Returns the palettes of the standard build; without one, those of the installed package. */
export async function readPalettes(): Promise<Palettes> {
  const text = await readFile(fileURLToPath(new URL(FILE, BUILD_FOLDER)), 'utf8').catch(() => undefined);
  return text === undefined ? readTheme() : (JSON.parse(text) as Palettes);
}

async function readTheme(): Promise<Palettes> {
  const path = createRequire(import.meta.url).resolve('tailwindcss/theme.css');
  const palettes: Record<string, Record<string, string>> = {};
  for (const [, name = '', shade = '', value = ''] of (await readFile(path, 'utf8')).matchAll(DECLARATION)) {
    palettes[name] = { ...palettes[name], [shade]: value.trim() };
  }
  return palettes as Palettes;
}
