import { treePeakBytesOf } from './process-usage.ts'

/**
 * Stock git's `git http-backend` behind the smallest host that can carry it (RFC 3875), in a process of its own:
 * `bun test/bench/cgi-host.ts DIRECTORY` prints the port it listens on. Bodies stream both ways.
 * `GET /-/usage` answers what the backends used since the last such request, without the host's own share.
 */
export interface BackendUsage {
  /** User and system time of all backends and what they started. */
  cpuSeconds: number
  /** The most memory that the backends of one moment held together: the sum of their high-water marks. */
  peakBytes: number
}

/** As much of a stream's reader as is used: Bun's and the DOM's types differ in the rest. */
interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array }>
  cancel(): Promise<void>
}

const SAMPLE_MS = 5
const [root] = process.argv.slice(2) as [string]
if (root === undefined) throw new Error('Usage: bun test/bench/cgi-host.ts DIRECTORY')

const running = new Set<number>()
let usage: BackendUsage = { cpuSeconds: 0, peakBytes: 0 }

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  fetch(request) {
    const url = new URL(request.url)
    return url.pathname === '/-/usage' ? Response.json(takeUsage()) : serve(request, url)
  },
})
console.log(server.port)
setInterval(sample, SAMPLE_MS)

function takeUsage(): BackendUsage {
  const taken = usage
  usage = { cpuSeconds: 0, peakBytes: 0 }
  return taken
}

async function serve(request: Request, url: URL): Promise<Response> {
  const backend = Bun.spawn(['git', 'http-backend'], { env: environment(request, url), stdin: request.body ?? 'ignore', stdout: 'pipe', stderr: 'inherit' })
  running.add(backend.pid)
  backend.exited.then(() => {
    running.delete(backend.pid)
    usage.cpuSeconds += Number(backend.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  })
  const reader = backend.stdout.getReader()
  const { head, rest } = await readHead(reader)
  return new Response(afterHead(reader, rest), head)
}

/** RFC 3875 section 4.1, and what `git http-backend` asks for beyond it. */
function environment(request: Request, url: URL): Record<string, string> {
  const header = (name: string) => request.headers.get(name) ?? ''
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: header('git-protocol'),
    GATEWAY_INTERFACE: 'CGI/1.1',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method,
    REMOTE_ADDR: '127.0.0.1',
    REMOTE_USER: 'bench',
    CONTENT_TYPE: header('content-type'),
    ...(request.headers.has('content-length') ? { CONTENT_LENGTH: header('content-length') } : {}),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
  }
}

/** Reads the header block of a CGI response; `rest` is what came with it of the body. */
async function readHead(reader: BodyReader): Promise<{ head: ResponseInit; rest: Uint8Array }> {
  let seen = Buffer.alloc(0)
  for (;;) {
    const end = /\r?\n\r?\n/.exec(seen.toString('latin1'))
    if (end) return { head: parseHead(seen.subarray(0, end.index).toString('latin1')), rest: seen.subarray(end.index + end[0].length) }
    const { value } = await reader.read()
    if (value === undefined) return { head: { status: 502 }, rest: seen }
    seen = Buffer.concat([seen, value])
  }
}

function parseHead(text: string): ResponseInit {
  const headers = new Headers()
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const status = Number.parseInt(headers.get('status') ?? '200', 10)
  headers.delete('status')
  return { status, headers }
}

function afterHead(reader: BodyReader, rest: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => (rest.length > 0 ? controller.enqueue(rest) : undefined),
    async pull(controller) {
      const { value } = await reader.read()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => reader.cancel(),
  })
}

/** Looks at the backends as they run: what the kernel keeps of a reaped child counts the host's own memory from before `exec`. */
function sample(): void {
  if (running.size === 0 || process.platform !== 'linux') return
  let bytes = 0
  for (const pid of running) bytes += treePeakBytesOf(pid)
  usage.peakBytes = Math.max(usage.peakBytes, bytes)
}
