import type { UploadContext } from './context.ts'
import { Collected } from './git-server.fixture.ts'
import { uploadPackV2 } from './upload-pack.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'

/** What stock git's `service` says to `input` about the repository in `dir`, a byte in each character. */
export async function stockAnswer(dir: string, service: string, version: number, args: readonly string[], input: string): Promise<string> {
  const child = Bun.spawn(['git', service, '--stateless-rpc', ...args, dir], {
    env: { ...process.env, GIT_PROTOCOL: `version=${version}`, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    stdin: Buffer.from(input, 'latin1'),
    stdout: 'pipe',
    stderr: 'ignore',
  })
  return Buffer.from(await child.stdout.bytes()).toString('latin1')
}

/** What we say to the same. */
export async function ourAnswer(context: UploadContext, version: number, request: string): Promise<string> {
  const sink = new Collected()
  const source = (async function* () {
    yield Buffer.from(request, 'latin1')
  })()
  await (version === 2 ? uploadPackV2 : uploadPackV0)(source, context, sink, { stateless: true })
  return sink.bytes.toString('latin1')
}
