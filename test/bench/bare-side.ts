import { join } from 'node:path'
import { bundle } from '../../build/compile.ts'

/** The bare server as an executable; see there. */
export async function compileBare(directory: string): Promise<string> {
  const outfile = join(directory, 'bare-server')
  await bundle({ outfile, entrypoints: [join(import.meta.dir, 'bare-server.ts')] })
  return outfile
}

/** One that answers `/api/v1/record` with `record`. */
export async function startBare(directory: string, record: unknown): Promise<{ origin: string } & AsyncDisposable> {
  const command = [await compileBare(directory), join(directory, 'bare-record.db'), JSON.stringify(record)]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { origin: await originOf(child.stdout), [Symbol.asyncDispose]: stop }
}

/** What a server says that it listens on, without a slash. @throws Error when it ends before it does */
export async function originOf(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk)
    const origin = /listening on (http:\/\/\S+)\/\n/.exec(text)?.[1]
    if (origin !== undefined) return origin
  }
  throw new Error('Cannot measure a server: the program ended before it listened')
}
