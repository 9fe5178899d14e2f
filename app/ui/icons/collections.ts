/** The icon collections on the server, read once from npm packages, and from no other source. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { getIconData } from '@iconify/utils/lib/icon-set/get-icon';
import { greenroom } from './greenroom.ts';
import { symbolId } from './names.ts';

/** One icon: the inner SVG, and the size of its view box. */
interface IconShape {
  body: string;
  width: number;
  height: number;
}

export interface Collections {
  /** Returns a collection by its prefix; undefined if it does not exist. */
  collection(prefix: string): IconifyJSON | undefined;
  /** Returns an icon by its full name, resolving aliases; undefined if it does not exist. */
  find(fullName: string): IconShape | undefined;
  /** Returns an icon as an SVG `symbol` element; undefined if it does not exist. */
  symbol(fullName: string): string | undefined;
}

let loading: Promise<Collections> | undefined;

/** Loads the collections on the first call. */
export function loadCollections(): Promise<Collections> {
  loading ??= readCollections();
  return loading;
}

async function readCollections(): Promise<Collections> {
  const path = createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json');
  const lucide: IconifyJSON = JSON.parse(await readFile(path, 'utf8'));
  return createCollections([lucide, greenroom]);
}

function createCollections(all: readonly IconifyJSON[]): Collections {
  const byPrefix = new Map(all.map((collection) => [collection.prefix, collection]));
  const symbols = new Map<string, string | undefined>();
  const find = (fullName: string): IconShape | undefined => {
    const [prefix = '', name = ''] = fullName.split(':');
    const collection = byPrefix.get(prefix);
    // Names such as `constructor` are no icons.
    const data = collection && isNamed(collection, name) ? getIconData(collection, name) : null;
    if (!collection || !data) return undefined;
    const { body, width = collection.width ?? 16, height = collection.height ?? 16 } = data;
    return { body, width, height };
  };
  return {
    collection: (prefix) => byPrefix.get(prefix),
    find,
    symbol(fullName) {
      if (!symbols.has(fullName)) symbols.set(fullName, writeSymbol(fullName, find(fullName)));
      return symbols.get(fullName);
    },
  };
}

function isNamed({ icons, aliases = {} }: IconifyJSON, name: string): boolean {
  return Object.hasOwn(icons, name) || Object.hasOwn(aliases, name);
}

function writeSymbol(fullName: string, shape: IconShape | undefined): string | undefined {
  if (!shape) return undefined;
  return `<symbol id="${symbolId(fullName)}" viewBox="0 0 ${shape.width} ${shape.height}">${shape.body}</symbol>`;
}
