import { quantile } from './measure.ts'
import { waitedSecondsOf } from './process-usage.ts'

/**
 * Asks for one address over and over on keep-alive connections, from a process of its own:
 * `bun test/bench/load.ts ORDER` with an `Order` as JSON prints a `LoadResult` as JSON. Ends by itself, or when its standard input does.
 */
export interface Order {
  url: string
  authorization?: string
  /** Further headers. */
  headers?: Record<string, string>
  connections: number
  seconds: number
  /** Milliseconds between an answer and the next request; without it there is no pause. */
  pauseMs?: number
  /** Of the server. */
  pid?: number
}

export interface LoadResult {
  requests: number
  /** Answers other than 200. */
  failures: number
  seconds: number
  /** Milliseconds. */
  p50: number
  p99: number
  max: number
  /** The same, less what the server and this process waited for a processor: other programs of the machine may have had it. */
  maxServed: number
}

/** Runs `order` in a process of its own; `stop()` ends it early. */
export function startLoad(order: Order): { result: Promise<LoadResult>; stop(): void } {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(order)], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const result = new Response(child.stdout).json() as Promise<LoadResult>
  return { result, stop: () => void child.stdin.end() }
}

const headEnd = Buffer.from('\r\n\r\n')

class Load {
  readonly #order: Order
  readonly #request: Buffer
  readonly #times: number[] = []
  #maxServed = 0
  #failures = 0
  #isOver = false

  constructor(order: Order) {
    const url = new URL(order.url)
    const headers = { Host: url.host, Accept: '*/*', ...(order.authorization && { Authorization: order.authorization }), ...order.headers }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    this.#order = order
    this.#request = Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  }

  async run(): Promise<LoadResult> {
    const started = performance.now()
    const timer = setTimeout(() => this.stop(), this.#order.seconds * 1000)
    await Promise.all(Array.from({ length: this.#order.connections }, () => this.#converse()))
    clearTimeout(timer)
    const seconds = (performance.now() - started) / 1000
    const times = Float64Array.from(this.#times).sort()
    return {
      requests: times.length,
      failures: this.#failures,
      seconds,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      max: times.at(-1) ?? Number.NaN,
      maxServed: this.#maxServed,
    }
  }

  stop(): void {
    this.#isOver = true
  }

  /** One connection, from its opening until time is up. */
  async #converse(): Promise<void> {
    const { hostname, port } = new URL(this.#order.url)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let [sent, waited] = [0, 0]
    let pending: Buffer = Buffer.alloc(0)
    const ask = (socket: Bun.Socket) => {
      if (this.#isOver) return void socket.end()
      waited = this.#waited()
      sent = performance.now()
      socket.write(this.#request)
    }
    await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: ask,
        data: (socket, chunk) => {
          pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
          if (!isWhole(pending)) return
          const taken = performance.now() - sent
          this.#note(pending, taken)
          this.#maxServed = Math.max(this.#maxServed, taken - (this.#waited() - waited))
          pending = Buffer.alloc(0)
          if (this.#order.pauseMs === undefined) ask(socket)
          else setTimeout(ask, this.#order.pauseMs, socket)
        },
        close: () => resolve(),
        error: (_socket, error) => reject(error),
      },
    })
    return promise
  }

  #waited(): number {
    const { pid } = this.#order
    return pid === undefined ? 0 : (waitedSecondsOf(pid) + waitedSecondsOf(process.pid)) * 1000
  }

  #note(answer: Buffer, milliseconds: number): void {
    this.#times.push(milliseconds)
    if (!answer.toString('latin1', 0, 12).endsWith(' 200')) this.#failures++
  }
}

/** Whether `bytes` hold an answer to its end, as its Content-Length says. */
function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))
  if (!length) throw new Error('Cannot measure an answer without Content-Length')
  return bytes.length >= end + headEnd.length + Number(length[1])
}

if (import.meta.main) {
  const load = new Load(JSON.parse(process.argv[2] as string) as Order)
  process.stdin.on('end', () => load.stop()).resume()
  console.log(JSON.stringify(await load.run()))
  process.exit(0)
}
