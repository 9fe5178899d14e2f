/** Creates the files of a product: those of all templates, then those of one, with the name of the product. */
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const TEMPLATES_FOLDER = fileURLToPath(new URL('../templates/', import.meta.url));
/** Stands for the name of the product in the files of templates. */
const NAME = '__NAME__';
/** npm leaves out files with this name when it packs a package, so templates have another one. */
const GITIGNORE = '_gitignore';
/** Files of these kinds contain the name. */
const TEXT = /\.(json|md|toml|yaml|yml|ts|tsx)$|(^|\/)Dockerfile$/;
/** Files that do not make a folder a used one. */
const HARMLESS = ['.git', '.DS_Store'];
const VENDOR = 'vendor';

/** The product cannot be created. */
export class CreateError extends Error {
  name = 'CreateError';
}

/**
 * Resolves if the folder does not exist or is empty.
 * @param {string} folder
 * @throws CreateError
 */
export async function requireUsableFolder(folder) {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR')
      throw new CreateError(`${resolve(folder)} is a file. Name a new or empty folder.`);
    throw new CreateError(`${resolve(folder)} cannot be read: ${error.message}`);
  });
  const used = names.filter((name) => !HARMLESS.includes(name));
  if (used.length === 0) return;
  const examples = used.slice(0, 3).join(', ');
  throw new CreateError(
    `${resolve(folder)} is not empty (${examples}${used.length > 3 ? ', …' : ''}). Name a new or empty folder.`,
  );
}

/**
 * @typedef {object} NewProduct
 * @property {string} folder is created if it does not exist
 * @property {string} template
 * @property {string | undefined} tarball path of a tarball of the package `greenroom`; undefined: the package from npm
 * @property {string} version version of the package from npm
 */

/**
 * Creates the product. If that fails, everything that it has created is removed.
 * @param {NewProduct} product
 * @throws CreateError
 */
export async function createProduct({ folder: named, template, tarball, version }) {
  const folder = resolve(named);
  if (tarball !== undefined) await requireTarball(tarball);
  const created = await mkdir(folder, { recursive: true }).catch((error) => {
    throw new CreateError(`${folder} cannot be created: ${error.message}`);
  });
  try {
    for (const source of ['shared', template])
      await cp(join(TEMPLATES_FOLDER, source), folder, { recursive: true });
    await rename(join(folder, GITIGNORE), join(folder, '.gitignore'));
    const name = await packageName(folder);
    for (const path of await filesOf(folder))
      if (TEXT.test(path)) await replaceName(join(folder, path), name);
    const greenroom = tarball === undefined ? `^${version}` : await copyTarball(tarball, folder);
    await setVersion(folder, greenroom);
  } catch (error) {
    if (created !== undefined) await rm(created, { recursive: true, force: true });
    else await empty(folder);
    const reason = error instanceof Error ? error.message : String(error);
    throw error instanceof CreateError ? error : new CreateError(`${folder} cannot be written: ${reason}`);
  }
}

/**
 * Removes everything from a folder that was usable before.
 * @param {string} folder
 */
async function empty(folder) {
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (!HARMLESS.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Returns a name that npm and config.toml allow: lower case letters, digits and dashes. npm refuses a package with the name of one
 * of its dependencies.
 * @param {string} folder
 */
async function packageName(folder) {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const { dependencies, devDependencies } = await readManifest(folder);
  const isTaken = name in { ...dependencies, ...devDependencies };
  return isTaken ? `${name}-product` : name || 'my-product';
}

/** @param {string} folder of a product */
async function readManifest(folder) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/** @param {string} path */
async function requireTarball(path) {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile)
    throw new CreateError(`--greenroom ${path}: there is no such file. Name a file greenroom-<version>.tgz.`);
}

/**
 * Copies the tarball into the product, so that it can be installed on other machines.
 * @param {string} tarball
 * @param {string} folder
 */
async function copyTarball(tarball, folder) {
  await mkdir(join(folder, VENDOR), { recursive: true });
  await copyFile(tarball, join(folder, VENDOR, basename(tarball)));
  return `file:${VENDOR}/${basename(tarball)}`;
}

/**
 * Returns paths relative to the folder.
 * @param {string} folder
 */
async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}

/**
 * @param {string} path
 * @param {string} name
 */
async function replaceName(path, name) {
  const text = await readFile(path, 'utf8');
  if (text.includes(NAME)) await writeFile(path, text.replaceAll(NAME, name));
}

/**
 * @param {string} folder of the product
 * @param {string} greenroom version or file
 */
async function setVersion(folder, greenroom) {
  const manifest = await readManifest(folder);
  manifest.dependencies.greenroom = greenroom;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
