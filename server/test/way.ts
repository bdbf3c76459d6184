import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './port.ts';

/** A proxy to a database, which can be cut and opened again at the same port. */
export class Way {
  readonly #to: URL;
  readonly #open = new Set<Socket>();
  #server: Server | undefined;
  readonly #port: number;
  /** The number of connections, including refused ones. */
  comers = 0;

  private constructor(to: string, port: number) {
    this.#to = new URL(to);
    this.#port = port;
  }

  static async to(url: string): Promise<Way> {
    const way = new Way(url, await freePort());
    await way.reopen();
    return way;
  }

  /** Connection string through this proxy. */
  get url(): string {
    const url = new URL(this.#to);
    url.port = String(this.#port);
    return url.href;
  }

  /** Ends all connections and stops listening. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  /** Nothing arrives any more, without an error, as when the database is stopped or a firewall drops packets. */
  hang(): void {
    for (const socket of this.#open) socket.pause();
  }

  /** Ends all connections and refuses new ones. */
  async block(): Promise<void> {
    await this.cut();
    await this.#listen((from) => from.destroy());
  }

  async reopen(): Promise<void> {
    await this.cut();
    await this.#listen((from) => this.#lead(from));
  }

  #lead(from: Socket): void {
    const to = connect(Number(this.#to.port), this.#to.hostname);
    for (const [one, other] of [[from, to], [to, from]] as const) {
      this.#open.add(one);
      one.pipe(other);
      one.on('error', () => {}).on('close', () => {
        this.#open.delete(one);
        other.destroy();
      });
    } // biome-ignore format: a pair
  }

  async #listen(comes: (from: Socket) => void): Promise<void> {
    const server = createServer((from) => {
      this.comers += 1;
      comes(from);
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
  }
}
