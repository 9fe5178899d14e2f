/** Reads the certificate and the key that the settings name. */
import { readFile } from 'node:fs/promises';
import { ConfigError, type TlsFiles, tlsTree } from '@greenroom/config';
import { parseCertificate, parsePrivateKey, type ServerCertificate } from './pem.ts';

/** Throws ConfigError if a file is missing, has another content, or has expired, or if the key does not fit. */
export async function readCertificateFiles(files: TlsFiles, now: Date): Promise<ServerCertificate> {
  const { certificateFile, keyFile } = files;
  const wrongCertificate = problemOf(tlsTree.certificateFile, certificateFile);
  const wrongKey = problemOf(tlsTree.keyFile, keyFile);
  const cert = await read(certificateFile, wrongCertificate);
  const key = await read(keyFile, wrongKey);
  const certificate = parseCertificate(cert);
  if (certificate === undefined) throw wrongCertificate('a file with a certificate in PEM');
  const privateKey = parsePrivateKey(key);
  if (privateKey === undefined) throw wrongKey('a file with a private key in PEM, without a passphrase');
  if (!certificate.checkPrivateKey(privateKey)) {
    throw wrongKey(`the private key of the certificate in ${certificateFile}`);
  }
  if (certificate.validToDate <= now) {
    const expired = certificate.validToDate.toISOString();
    throw wrongCertificate(`a certificate that is valid; this one expired at ${expired}`);
  }
  return { cert, key };
}

/** Creates an error from a description of the allowed values. */
type Problem = (allowed: string) => ConfigError;

function problemOf({ name }: { name: string }, value: string): Problem {
  return (allowed) => new ConfigError([{ name, value, allowed }]);
}

async function read(path: string, wrong: Problem): Promise<string> {
  return readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw wrong(`the path of a file in PEM (reading it failed: ${code})`);
  });
}
