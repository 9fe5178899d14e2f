/** An issuer of tokens over HTTP whose documents, keys and availability a test controls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

/** A running issuer. */
export interface TokenIssuer {
  url: string;
  /** The published keys. */
  keys: object[];
  /** Paths of the requests so far; tests empty it. */
  requests: string[];
  /** Responds in place of the documents. */
  respond: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Creates and publishes a key. */
  addKey(kid: string, alg?: string): Promise<SigningPair>;
  close(): Promise<void>;
}

/** A private key with its published half. */
interface SigningPair {
  published: JWK;
  /** Signs claims; `iss` and a lifetime of one hour are set unless the claims contain them. */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
}

/** Starts an issuer without keys. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const server = createServer((request, response) => {
    issuer.requests.push(request.url ?? '');
    if (issuer.respond !== undefined) return issuer.respond(request, response);
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` },
      '/keys': { keys: issuer.keys },
    };
    response.end(JSON.stringify(documents[request.url ?? '']));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer: TokenIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: [],
    requests: [],
    respond: undefined,
    async addKey(kid, alg = 'RS256') {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      const published = { ...(await exportJWK(publicKey)), kid };
      issuer.keys.push(published);
      return {
        published,
        sign: (claims = {}, header = {}) =>
          new SignJWT({ iss: issuer.url, exp: Math.floor(Date.now() / 1000) + 3600, ...claims })
            .setProtectedHeader({ alg, kid, ...header } as JWTHeaderParameters)
            .sign(privateKey),
      };
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return issuer;
}
