/** A response of a call within the process, whose whole body is in memory already. */

/** Decodes like `Response.text`: without a byte order mark, and with a replacement for invalid bytes. */
const DECODER = new TextDecoder();

/**
 * Reads a text or JSON body without a stream, which costs several times as much as the rest of a small response. All
 * other members create the stream.
 */
export class BufferedResponse extends Response {
  readonly #bytes: Buffer<ArrayBuffer>;
  readonly #init: ResponseInit;
  /** The response with a stream; created when it is first needed. */
  #streamed: Response | undefined;
  #isRead = false;

  constructor(bytes: Buffer<ArrayBuffer>, init: ResponseInit) {
    super(null, init);
    this.#bytes = bytes;
    this.#init = init;
  }

  override get body(): Response['body'] {
    return this.#withStream().body;
  }

  override get bodyUsed(): boolean {
    return this.#streamed?.bodyUsed ?? this.#isRead;
  }

  override async text(): Promise<string> {
    if (this.#isRead || this.#streamed !== undefined) return this.#withStream().text();
    this.#isRead = true;
    return DECODER.decode(this.#bytes);
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#withStream().arrayBuffer();
  }

  override blob(): Promise<Blob> {
    return this.#withStream().blob();
  }

  override bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#withStream().bytes();
  }

  override formData(): Promise<FormData> {
    return this.#withStream().formData();
  }

  override clone(): Response {
    return this.#withStream().clone();
  }

  #withStream(): Response {
    if (this.#streamed === undefined) {
      this.#streamed = new Response(this.#bytes, this.#init);
      // Consumes the stream as well, so that a second read fails as in any other response.
      if (this.#isRead) void this.#streamed.text();
    }
    return this.#streamed;
  }
}
