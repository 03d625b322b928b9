// Hands out what git writes in the portions that its format names.
import { CupelError } from "../../domain/error.ts";

export class ByteQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async line(): Promise<Buffer> {
    let end = this.#rest.indexOf(NEWLINE);
    while (end === -1) {
      await this.#more();
      end = this.#rest.indexOf(NEWLINE);
    }
    const line = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async take(size: number): Promise<Buffer> {
    if (this.#rest.length < size) await this.#atLeast(size);
    const bytes = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    return bytes;
  }

  /** Joins once, however many chunks a large file comes in. */
  async #atLeast(size: number): Promise<void> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < size) {
      const chunk = await this.#next();
      parts.push(chunk);
      length += chunk.length;
    }
    this.#rest = Buffer.concat(parts);
  }

  async #more(): Promise<void> {
    this.#rest = Buffer.concat([this.#rest, await this.#next()]);
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw new CupelError("git_failed", "git cat-file ended before it had answered");
    return value;
  }
}

const NEWLINE = 0x0a;
