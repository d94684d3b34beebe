/**
 * Stands in for `ssh` in tests: run by git as `… host "git-upload-pack '<path>'"`, it serves that repository over its
 * standard input and output, as an SSH server would over its channel.
 */
import { writeSync } from 'node:fs'
import { advertiseUpload } from './advertise.ts'
import { agent, contextOf, versionOf } from './git-server.fixture.ts'
import { uploadPackV2 } from './upload-pack.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'

const path = /'(.*)'/.exec(process.argv.at(-1) ?? '')?.[1] ?? ''
const version = versionOf(process.env.GIT_PROTOCOL)
const context = await contextOf(path)
const sink = {
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
  },
}
await advertiseUpload(version, context.refs, { agent, http: false }, sink)
if (version === 2) await uploadPackV2(Bun.stdin.stream(), context, sink, { stateless: false })
else await uploadPackV0(Bun.stdin.stream(), context, sink, { stateless: false })
