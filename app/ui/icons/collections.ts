/** The collections of icons on the server: read from their packages once, and never from anywhere else. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { getIconData } from '@iconify/utils/lib/icon-set/get-icon';
import { greenroom } from './greenroom.ts';
import { symbolId } from './names.ts';

/** One icon: the inside of an SVG, and the size it is drawn for. */
interface IconShape {
  body: string;
  width: number;
  height: number;
}

/** All collections. */
export interface Collections {
  /** A collection by its prefix; undefined where there is none. */
  collection(prefix: string): IconifyJSON | undefined;
  /** An icon by its full name; aliases are followed. Undefined where there is none. */
  find(fullName: string): IconShape | undefined;
  /** The same as an SVG `symbol`, ready to be put into a document. */
  symbol(fullName: string): string | undefined;
}

let loading: Promise<Collections> | undefined;

/** Loads them at the first call. */
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
