import { breathe, isDue } from '#kernel/breathe.ts'
import { SHA1 } from '../objects/oid.ts'
import { v0Capabilities, v2Capabilities } from './capabilities.ts'
import type { ByteSink, RefSnapshot } from './context.ts'
import { findHeadRef, listedRefs } from './context.ts'
import { advertiseReceive } from './receive-pack.ts'
import { PktWriter } from './sideband.ts'

export interface AdvertiseOptions {
  agent: string
  /** Smart HTTP, where each request is a connection of its own; otherwise a stream such as SSH. */
  http: boolean
}

/** What is asked for at the beginning. */
export interface Listing extends AdvertiseOptions {
  service: 'git-upload-pack' | 'git-receive-pack'
  version: 0 | 1 | 2
}

/** Whether refs are told with it: who fetches by version 2 asks for them afterwards. */
export function hasRefs({ service, version }: Listing): boolean {
  return version < 2 || service === 'git-receive-pack'
}

/** What the server says first, of either service. Pushes have no version 2. */
export function advertise({ service, version, ...options }: Listing, refs: RefSnapshot, sink: ByteSink): Promise<void> {
  if (service === 'git-upload-pack') return advertiseUpload(version, refs, options, sink)
  return advertiseReceive(version === 1 ? 1 : 0, refs, options, sink)
}

/**
 * What the server says first: over HTTP the body of `GET …/info/refs?service=git-upload-pack`.
 * Source: `Documentation/gitprotocol-http.txt`, "Smart Server Response".
 */
export async function advertiseUpload(version: 0 | 1 | 2, refs: RefSnapshot, options: AdvertiseOptions, sink: ByteSink): Promise<void> {
  const out = new PktWriter(sink)
  if (version === 2) {
    for (const line of ['version 2', ...v2Capabilities(options.agent)]) out.line(`${line}\n`)
  } else {
    if (options.http) announceService(out)
    if (version === 1) out.line('version 1\n')
    await advertiseRefs(out, refs, options)
  }
  out.flush()
  await out.send()
}

function announceService(out: PktWriter): void {
  out.line('# service=git-upload-pack\n')
  out.flush()
}

async function advertiseRefs(out: PktWriter, refs: RefSnapshot, options: AdvertiseOptions): Promise<void> {
  let suffix = `\0${v0Capabilities(refs, options.agent, options.http)}`
  const line = (oid: string, name: string): void => {
    out.line(`${oid} ${name}${suffix}\n`)
    suffix = ''
  }
  const head = findHeadRef(refs)
  if (head) line(head.oid, 'HEAD')
  for (const ref of listedRefs(refs)) {
    line(ref.oid, ref.name)
    if (ref.peeled !== undefined) line(ref.peeled, `${ref.name}^{}`)
    if (!out.isFull) continue
    await out.send()
    if (isDue()) await breathe()
  }
  if (suffix !== '') line(SHA1.zero, 'capabilities^{}')
}
