/** A stand-in for JSR, the npm registry and hosts of modules, over HTTPS with a certificate of an unknown authority. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ConfigSource } from '@greenroom/config';
import { createTestCertificate } from '@greenroom/tls/testing';
import { tarballOf } from './tarball.ts';

type Answer = (response: ServerResponse) => void;

/** Deno ignores versions that were published recently. */
const PUBLISHED = '2024-01-01T00:00:00.000Z';

/** A package with one version. */
interface TestPackage {
  /** On JSR with its scope. */
  name: string;
  version: string;
  /** Modules by path, e.g. `mod.ts`. */
  files: Readonly<Record<string, string>>;
}

/** A running host. Unknown paths are a 404. */
export class ModuleHost implements AsyncDisposable {
  /** Name and port. The name `localhost` leads to it, too. */
  readonly host: string;
  readonly url: string;
  /** Path of the certificate. */
  readonly caFile: string;
  /** Paths of all requests. */
  readonly requested: string[];
  readonly #server: Server;
  readonly #folder: string;
  readonly #answers: Map<string, Answer>;

  private constructor(server: Server, folder: string, answers: Map<string, Answer>, requested: string[]) {
    const { port } = server.address() as AddressInfo;
    this.host = `127.0.0.1:${port}`;
    this.url = `https://${this.host}`;
    this.caFile = join(folder, 'ca.pem');
    this.requested = requested;
    this.#server = server;
    this.#folder = folder;
    this.#answers = answers;
  }

  /** Starts a host without modules. */
  static async open(): Promise<ModuleHost> {
    const certificate = createTestCertificate();
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-modules-'));
    const answers = new Map<string, Answer>();
    const requested: string[] = [];
    const server = createServer(certificate, (request: IncomingMessage, response) => {
      const path = decodeURIComponent(request.url ?? '');
      requested.push(path);
      const answer = answers.get(path) ?? ((refused) => refused.writeHead(404).end());
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = new ModuleHost(server, folder, answers, requested);
    await writeFile(host.caFile, certificate.cert);
    return host;
  }

  /** Returns the settings of an instance that downloads from it alone. */
  settings(): ConfigSource {
    return {
      GREENROOM_FUNCTIONS_JSR_URL: `${this.url}/jsr`,
      GREENROOM_FUNCTIONS_NPM_REGISTRY: `${this.url}/npm`,
      GREENROOM_FUNCTIONS_IMPORT_HOSTS: this.host,
      GREENROOM_FUNCTIONS_CA_FILE: this.caFile,
    };
  }

  /** Serves a module, from now on with this content. Returns its URL. */
  addModule(path: string, text: string): string {
    this.#add(path, 'application/typescript', text);
    return this.url + path;
  }

  /** Leads a path to another URL. Returns its URL. */
  addRedirect(path: string, location: string): string {
    this.#answers.set(path, (response) => response.writeHead(302, { location }).end());
    return this.url + path;
  }

  /** Never answers requests of a path. Returns its URL. */
  addSilent(path: string): string {
    this.#answers.set(path, () => undefined);
    return this.url + path;
  }

  /** Responds with a module that has no end. Returns its URL. */
  addEndless(path: string): string {
    const part = Buffer.alloc(1024 * 1024, '// endless\n');
    this.#answers.set(path, (response) => {
      response.writeHead(200, { 'content-type': 'application/typescript' });
      const write = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', write);
      write();
    });
    return this.url + path;
  }

  /** Serves a module that is compressed. Returns its URL. */
  addCompressed(path: string, text: string): string {
    const headers = { 'content-type': 'application/typescript', 'content-encoding': 'gzip' };
    this.#answers.set(path, (response) => response.writeHead(200, headers).end(gzipSync(text)));
    return this.url + path;
  }

  /** Serves a package of JSR. `listed` are the files whose checksums its manifest has. */
  addJsrPackage({ name, version, files }: TestPackage, listed = files): void {
    const manifest = Object.entries(listed).map(([path, text]) => [
      `/${path}`,
      { size: Buffer.byteLength(text), checksum: `sha256-${hash('sha256', text)}` },
    ]);
    const versions = { [version]: { createdAt: PUBLISHED } };
    this.#addJson(`/jsr/${name}/meta.json`, { latest: version, versions });
    this.#addJson(`/jsr/${name}/${version}_meta.json`, {
      manifest: Object.fromEntries(manifest),
      exports: { '.': './mod.ts' },
    });
    for (const [path, text] of Object.entries(files)) this.addModule(`/jsr/${name}/${version}/${path}`, text);
  }

  /** Serves a package of npm, whose module is `index.js`. */
  addNpmPackage({ name, version, files }: TestPackage): void {
    const description = { name, version, type: 'module', main: 'index.js' };
    const entries = Object.entries({ ...files, 'package.json': JSON.stringify(description) });
    const archive = tarballOf(Object.fromEntries(entries.map(([path, text]) => [`package/${path}`, text])));
    const path = `/npm/${name}/-/${name}-${version}.tgz`;
    const dist = { tarball: this.url + path, integrity: `sha512-${hash('sha512', archive, 'base64')}` };
    this.#add(path, 'application/octet-stream', archive);
    this.#addJson(`/npm/${name}`, {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...description, dist } },
      time: { created: PUBLISHED, modified: PUBLISHED, [version]: PUBLISHED },
    });
  }

  #addJson(path: string, value: object): void {
    this.#add(path, 'application/json', JSON.stringify(value));
  }

  #add(path: string, type: string, content: string | Buffer): void {
    this.#answers.set(path, (response) => response.writeHead(200, { 'content-type': type }).end(content));
  }

  /** Ends it: connections are refused then. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
