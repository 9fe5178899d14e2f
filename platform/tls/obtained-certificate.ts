/** The certificate that an authority has issued, in the data folder: a folder for each authority. */
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AutomaticHttps } from '@greenroom/config';
import { writeFileAtomically } from '@greenroom/data-folder';
import { parseCertificate, parsePrivateKey, type ServerCertificate } from './pem.ts';

const FOLDER = 'https';
/** Contains the private key, too, so that both are replaced at once. */
const FILE = 'certificate.pem';
const PEM_BLOCK = /-----BEGIN (?<label>[A-Z ]+)-----[\s\S]+?-----END \k<label>-----\n?/g;

/** Returns the path of the folder for an authority, e.g. `.greenroom/https/acme-v02.api.letsencrypt.org-directory`. */
export function obtainedFolder(
  dataDirectory: string,
  { directory }: Pick<AutomaticHttps, 'directory'>,
): string {
  const { host, pathname } = new URL(directory);
  const name = `${host}${pathname}`.replaceAll(/[^\w.]+/g, '-').replace(/-+$/, '');
  return join(resolve(dataDirectory), FOLDER, name);
}

/** Returns the stored certificate of an authority; undefined if there is none that is still valid. */
export async function readObtained(
  dataDirectory: string,
  authority: Pick<AutomaticHttps, 'directory'>,
  now: Date,
): Promise<ServerCertificate | undefined> {
  const text = await readFile(join(obtainedFolder(dataDirectory, authority), FILE), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const blocks = [...text.matchAll(PEM_BLOCK)];
  const textOf = (isWanted: (label: string) => boolean) =>
    blocks.flatMap(([block, label = '']) => (isWanted(label) ? [block] : [])).join('');
  const cert = textOf((label) => label === 'CERTIFICATE');
  const key = textOf((label) => label.endsWith('PRIVATE KEY'));
  const certificate = parseCertificate(cert);
  const privateKey = parsePrivateKey(key);
  if (certificate === undefined || privateKey === undefined) return undefined;
  return certificate.checkPrivateKey(privateKey) && certificate.validToDate > now ? { cert, key } : undefined;
}

/** Stores a certificate, so that after a crash either the former one or this one exists. */
export async function storeObtained(
  dataDirectory: string,
  authority: Pick<AutomaticHttps, 'directory'>,
  { cert, key }: ServerCertificate,
): Promise<void> {
  const folder = obtainedFolder(dataDirectory, authority);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(join(folder, FILE), `${key.trimEnd()}\n${cert.trimEnd()}\n`);
}
